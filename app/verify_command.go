package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// maxLogPage bounds what is read of an answer, in bytes.
const maxLogPage = 64 << 20

// errUnproven says that a receipt is neither proven nor refuted. It ends the program with 2.
var errUnproven = fmt.Errorf("%w: not proven", errUsage)

// verifyFlags are the words of the command line.
type verifyFlags struct {
	file, site string
	key        *receipt.PublicKey // nil: as the site says
	json       bool
}

// verifyCommand checks a receipt against the log of its line, which it fetches from a site. It needs no settings.
// Returns an error unless the receipt is proven; errUnproven where nothing is known yet.
func verifyCommand(ctx context.Context, _ Config, args []string, out io.Writer) error {
	flags, err := parseVerifyFlags(args, out)
	if err != nil {
		return badFlags(err)
	}
	text, err := os.ReadFile(flags.file)
	if err != nil {
		return err
	}
	r, err := receipt.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.file, err)
	}
	read := time.Now()
	log, err := fetchLog(ctx, flags.site, r)
	if errors.Is(err, receipt.ErrUnknownLog) {
		fmt.Fprintln(out, i18n.T(i18n.English, "verify.unproven")+":", i18n.T(i18n.English, "verify.not_found"))
		return errUnproven
	} else if err != nil {
		return err
	}
	keys := log.PublicKeys()
	if flags.key != nil {
		keys = []receipt.PublicKey{*flags.key}
	}
	found := receipt.Verify(r, log, receipt.Check{Keys: keys, At: read})
	return writeFinding(out, found, flags.json)
}

func parseVerifyFlags(args []string, out io.Writer) (f verifyFlags, err error) {
	flags := newFlags(out, "verify [flags] FILE URL",
		"Checks the receipt in FILE against the log that the site at URL publishes of its line.\nExits 0 when it is "+
			"proven that the line was kept, 1 when it was not, 2 when that is not known yet.")
	key := flags.String("key", "", "the site's public key, if you know it; otherwise the site is asked")
	flags.BoolVar(&f.json, "json", false, "print the finding as JSON")
	if err := flags.Parse(args); err != nil {
		return f, err
	}
	if *key != "" {
		f.key = new(receipt.PublicKey)
		err = f.key.UnmarshalText([]byte(*key))
	}
	if flags.NArg() != 2 {
		err = errors.New("name a file and a site")
	}
	if err != nil {
		fmt.Fprintln(out, err)
		flags.Usage()
		return f, err
	}
	f.file, f.site = flags.Arg(0), strings.TrimSuffix(flags.Arg(1), "/")
	return f, nil
}

// fetchLog fetches all entries of the log that a receipt names. Returns receipt.ErrUnknownLog.
func fetchLog(ctx context.Context, site string, r receipt.Receipt) (receipt.Log, error) {
	whole, err := fetchPage(ctx, site, r, 0)
	for next := whole.Next; err == nil && next > 0; {
		var page receipt.Log
		if page, err = fetchPage(ctx, site, r, next); page.Next > 0 && page.Next <= next {
			err = errors.New("the site's pages of the log do not go on")
		}
		whole.Entries, next = append(whole.Entries, page.Entries...), page.Next
	}
	return whole, err
}

func fetchPage(ctx context.Context, site string, r receipt.Receipt, from int) (receipt.Log, error) {
	address := site + "/api/lines/" + url.PathEscape(r.Line) + "/log?" +
		url.Values{"log": {r.LogID}, "from": {strconv.Itoa(from)}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return receipt.Log{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return receipt.Log{}, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return receipt.Log{}, receipt.ErrUnknownLog
	default:
		return receipt.Log{}, fmt.Errorf("the site answers %s", response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxLogPage))
	if err != nil {
		return receipt.Log{}, err
	}
	return receipt.ParseLog(text)
}

// writeFinding prints what was found, in plain words.
func writeFinding(out io.Writer, f receipt.Finding, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(out).Encode(f); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(out, views.FindingTitle(i18n.English, f))
		for _, sentence := range views.FindingSentences(i18n.English, f) {
			fmt.Fprintln(out, " ", sentence)
		}
	}
	switch f.Outcome {
	case receipt.Proven:
		return nil
	case receipt.Unproven:
		return errUnproven
	}
	return errors.New("the receipt does not verify")
}
