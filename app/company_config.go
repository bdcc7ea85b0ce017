package main

import (
	"fmt"

	"lunchgo/app/legal"
	"lunchgo/views"
)

// companySettings are what the foot of every page says of who runs the site.
func companySettings(c *views.Company) []setting {
	return []setting{
		{"COMPANY_NAME", "", text(&c.Name, "a name", nil),
			"who runs the site, [at the foot of every page](#company); empty: nobody, in a demo a made-up one"},
		{"COMPANY_REPRESENTATIVE", "", text(&c.Representative, "a name", nil), "of the company"},
		{"COMPANY_REGISTRATION", "", text(&c.Registration, "a number", nil), "business registration number"},
		{"COMPANY_MAIL_ORDER", "", text(&c.MailOrder, "a number", nil),
			"mail-order business report number; empty where the law asks for none"},
		{"COMPANY_ADDRESS", "", text(&c.Address, "an address", nil), "of the company"},
		{"COMPANY_PHONE", "", text(&c.Phone, "a phone number", nil), "of the company"},
		{"COMPANY_EMAIL", "", text(&c.Email, "an e-mail address", isSender), "of the company"},
	}
}

// company is who runs the site: in a demo that names nobody one that there is not, since the terms speak of it.
func (c Config) company() views.Company {
	if !c.demo() || c.Company != (views.Company{}) {
		return c.Company
	}
	return views.Company{Name: "런치고 데모 (가상 회사)", Representative: "김하늘", Registration: "000-00-00000",
		Address: "서울 종로구 북촌로 12", Phone: "02-555-0100", Email: "help@lunchgo.example"}
}

// companyFaults returns what is missing of a company that is named, and a name where the rest is set.
func (c Config) companyFaults() []*fault {
	if c.Company == (views.Company{}) {
		return nil
	}
	return unset("the other settings of the company", named{"COMPANY_NAME", c.Company.Name},
		named{"COMPANY_REPRESENTATIVE", c.Company.Representative},
		named{"COMPANY_REGISTRATION", c.Company.Registration}, named{"COMPANY_ADDRESS", c.Company.Address},
		named{"COMPANY_PHONE", c.Company.Phone}, named{"COMPANY_EMAIL", c.Company.Email})
}

// legalSettings say where the documents are that people agree to.
func legalSettings(folder *string) []setting {
	return []setting{
		{"LEGAL_DIR", "", text(folder, "a folder", nil),
			"[terms of use and privacy policy](#terms-and-privacy-policy) of the company; empty: those of LunchGo"},
	}
}

// checkLegal returns what is wrong with the documents of a folder.
func checkLegal(folder string) error {
	if _, err := legal.Load(folder); err != nil {
		return fmt.Errorf("LEGAL_DIR: %w", err)
	}
	return nil
}
