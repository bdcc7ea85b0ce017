package seed

import (
	"time"

	"lunchgo/app/booking"
)

func sotbul() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "sotbul", Picture: "barbecue", District: "gangnam", Cuisine: "korean",
			Name: text("솥불", "Sotbul"),
			Description: text(
				"참숯 위에서 직원이 구워 드리는 한우와 무쇠솥에 지은 밥. 모임하기 좋은 너른 자리입니다.",
				"Hanwoo beef grilled for you over oak charcoal and rice from iron pots. Wide tables, good for company."),
			Address:  text("서울 강남구 도산대로49길 12", "12 Dosan-daero 49-gil, Gangnam-gu, Seoul"),
			Capacity: 40, SlotMinutes: 60, DepositPerPerson: 20_000, HoldMinutes: 10, PartyMin: 2, PartyMax: 12,
			DepositTiers: []booking.DepositTier{perParty(8, 200_000)},
			StayTiers:    []booking.StayTier{{FromParty: 9, Slots: 2}},
			LeadMinutes:  60, HorizonDays: 30, Policy: standard,
			Hours: hours(on(weekdays, "11:30", "13:30"), on(everyDay, "17:00", "21:00")),
		},
		menu: []booking.MenuItem{
			lasting(2, dish(set, 98_000, text("한우 오마카세", "Hanwoo tasting"), text("여섯 부위와 솥밥, 후식", "Six cuts, pot rice and dessert"))),
			served("11:00", "14:30", dish(set, 19_000, text("점심 불고기 솥밥", "Lunch bulgogi pot rice"), text("밥과 국, 반찬 세 가지", "With rice, soup and three sides"))),
			dish(main, 52_000, text("한우 등심 150g", "Hanwoo ribeye, 150 g"), text("1++ 등급 꽃등심", "Grade 1++ marbled ribeye")),
			daily(10, dish(main, 58_000, text("안창살 150g", "Skirt steak, 150 g"), text("결을 살려 두툼하게", "Cut thick along the grain"))),
			dish(main, 36_000, text("양념 갈비 250g", "Marinated short ribs, 250 g"), text("배와 간장에 이틀 재운 갈비", "Two days in pear and soy")),
			dish(main, 12_000, text("평양냉면", "Pyongyang cold noodles"), text("메밀 100% 순면과 양지 육수", "Pure buckwheat in brisket broth")),
			dish(side, 9_000, text("된장술밥", "Doenjang rice"), text("차돌과 된장에 자작하게 끓인 밥", "Rice simmered with brisket and soybean paste")),
			dish(side, 7_000, text("명이나물과 쌈 채소", "Wild garlic and leaves"), text("울릉도 명이", "Wild garlic from Ulleungdo")),
			dish(drink, 18_000, text("안동소주 한 병", "Andong soju"), text("증류식 소주 45도", "Distilled, 45 %")),
			dish(drink, 5_000, text("수정과", "Cinnamon punch"), text("계피와 생강, 곶감", "Cinnamon, ginger and dried persimmon")),
		},
	}
}

func harugyeol() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "sushi-harugyeol", Picture: "sushi", District: "gangnam", Cuisine: "japanese",
			Name: text("스시 하루결", "Sushi Harugyeol"),
			Description: text(
				"편백 카운터 여덟 자리. 새벽 노량진에서 고른 생선으로 하루 네 번만 쥡니다.",
				"Eight seats at a hinoki counter. Fish chosen at dawn in Noryangjin, four sittings a day."),
			Address:  text("서울 강남구 압구정로42길 8 지하 1층", "B1, 8 Apgujeong-ro 42-gil, Gangnam-gu, Seoul"),
			Capacity: 8, SlotMinutes: 120, DepositPerPerson: 50_000, HoldMinutes: 5, PartyMin: 1, PartyMax: 4,
			LeadMinutes: 120, HorizonDays: 30, Policy: strict,
			Hours: hours(on(without(time.Sunday), "12:00", "14:00"), on(without(time.Sunday), "18:00", "20:00")),
		},
		rest: monthlyRest{week: 2, weekday: time.Monday},
		room: sushiCounter(),
		menu: []booking.MenuItem{
			served("11:00", "15:00", dish(set, 90_000, text("런치 오마카세", "Lunch omakase"), text("니기리 열두 점과 맑은 국", "Twelve nigiri and clear soup"))),
			served("17:00", "21:00", dish(set, 180_000, text("디너 오마카세", "Dinner omakase"), text("츠마미 여섯 가지와 니기리 열네 점", "Six small dishes and fourteen nigiri"))),
			dish(set, 240_000, text("하루결 특선", "Harugyeol special"), text("성게와 참다랑어 대뱃살을 더한 코스", "With sea urchin and fatty bluefin")),
			dish(main, 24_000, text("우니 군함 추가", "Sea urchin gunkan"), text("두 점", "Two pieces")),
			dish(main, 22_000, text("오도로 추가", "Fatty tuna"), text("두 점", "Two pieces")),
			dish(side, 15_000, text("자완무시", "Chawanmushi"), text("은행과 새우를 넣은 달걀찜", "Savoury custard with ginkgo and shrimp")),
			dish(dessert, 9_000, text("말차 테린", "Matcha terrine"), text("우지 말차", "Uji matcha")),
			dish(drink, 32_000, text("사케 페어링", "Sake pairing"), text("세 잔", "Three glasses")),
			dish(drink, 7_000, text("호지차", "Hojicha"), text("갓 볶은 찻잎", "Freshly roasted")),
		},
	}
}

func sore() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "trattoria-sore", Picture: "pasta", District: "gangnam", Cuisine: "italian",
			Name: text("트라토리아 소레", "Trattoria Sore"),
			Description: text(
				"매일 아침 미는 생면과 화덕 없이도 따뜻한 볼로냐 가정식. 동네 사람들이 먼저 찾는 집입니다.",
				"Fresh pasta rolled each morning and warm home cooking from Bologna. The neighbours come first."),
			Address:  text("서울 강남구 선릉로131길 26", "26 Seolleung-ro 131-gil, Gangnam-gu, Seoul"),
			Capacity: 24, SlotMinutes: 30, DepositPerPerson: 10_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 6,
			LeadMinutes: 30, HorizonDays: 30, Policy: standard,
			Hours: hours(on(without(time.Monday), "11:30", "14:00"), on(without(time.Monday), "17:30", "21:00")),
		},
		room: trattoria(),
		menu: []booking.MenuItem{
			dish(set, 39_000, text("평일 파스타 코스", "Weekday pasta course"), text("샐러드, 파스타, 젤라토", "Salad, pasta and gelato")),
			dish(starter, 17_000, text("부라타와 토마토", "Burrata and tomato"), text("대추방울토마토와 바질 오일", "Date tomatoes and basil oil")),
			dish(starter, 15_000, text("비텔로 토나토", "Vitello tonnato"), text("참치 소스를 얹은 송아지", "Veal with tuna sauce")),
			dish(main, 23_000, text("탈리아텔레 라구", "Tagliatelle al ragù"), text("여섯 시간 끓인 볼로냐 라구", "Bolognese ragù, six hours on the stove")),
			dish(main, 25_000, text("리코타 토르텔리", "Ricotta tortelli"), text("버터와 세이지", "Butter and sage")),
			dish(main, 27_000, text("봉골레", "Linguine alle vongole"), text("서해 바지락과 화이트 와인", "West Sea clams and white wine")),
			dish(main, 44_000, text("포르케타", "Porchetta"), text("회향을 넣고 구운 삼겹살", "Pork belly roasted with fennel")),
			dish(dessert, 10_000, text("티라미수", "Tiramisù"), text("주문 후 완성", "Finished at the table")),
			dish(drink, 13_000, text("람브루스코 한 잔", "Lambrusco, glass"), text("에밀리아의 붉은 발포 와인", "Sparkling red from Emilia")),
		},
	}
}

func ppuri() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "ppuri", Picture: "vegan", District: "gangnam", Cuisine: "vegetarian",
			Name: text("뿌리", "Ppuri"),
			Description: text(
				"땅 아래에서 자란 것을 주인공으로 한 비건 식탁. 연근과 비트, 우엉이 코스가 됩니다.",
				"A vegan table where what grows underground plays the lead: lotus root, beetroot and burdock as a course."),
			Address:  text("서울 강남구 논현로175길 33", "33 Nonhyeon-ro 175-gil, Gangnam-gu, Seoul"),
			Capacity: 16, SlotMinutes: 60, DepositPerPerson: 10_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 4,
			LeadMinutes: 45, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(without(time.Sunday, time.Monday), "11:30", "14:30"), on(without(time.Sunday, time.Monday), "17:30", "19:30")),
		},
		menu: []booking.MenuItem{
			dish(set, 45_000, text("뿌리 코스", "Roots course"), text("다섯 접시의 채소 코스", "Five plates of vegetables")),
			dish(starter, 13_000, text("비트 카르파초", "Beetroot carpaccio"), text("구운 비트와 호두, 유자", "Roast beetroot, walnut and yuja")),
			dish(starter, 11_000, text("연근 칩과 후무스", "Lotus crisps and hummus"), text("병아리콩과 들깨", "Chickpea and perilla")),
			dish(main, 17_000, text("우엉 솥밥", "Burdock pot rice"), text("우엉과 유부, 달래장", "Burdock, fried tofu and chive soy")),
			dish(main, 19_000, text("당근 스테이크", "Carrot steak"), text("소금에 묻어 구운 제주 당근", "Jeju carrot baked in salt")),
			dish(main, 16_000, text("두부 크림 뇨키", "Gnocchi in tofu cream"), text("감자 뇨키와 두부 크림", "Potato gnocchi in silken tofu")),
			dish(side, 7_000, text("겉절이 샐러드", "Fresh kimchi salad"), text("젓갈 없이 버무린 겉절이", "Made without fish sauce")),
			dish(dessert, 9_000, text("고구마 무스", "Sweet potato mousse"), text("코코넛과 흑설탕", "Coconut and dark sugar")),
			dish(drink, 7_000, text("콤부차", "Kombucha"), text("생강과 레몬", "Ginger and lemon")),
		},
	}
}
