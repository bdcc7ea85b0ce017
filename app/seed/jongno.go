package seed

import (
	"time"

	"lunchgo/app/booking"
)

func damdam() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: RushSlug, Picture: "hanjeongsik", District: "jongno", Cuisine: "korean",
			Name: text("담담반상", "Damdam Bansang"),
			Description: text(
				"북촌 골목 안 한옥에서 제철 나물과 장으로 차리는 반상. 놋그릇에 담아 한 사람 한 상으로 냅니다.",
				"Seasonal greens and house-aged sauces in a Bukchon hanok, served in brassware, one table-tray for each guest."),
			Address:  text("서울 종로구 북촌로9길 21", "21 Bukchon-ro 9-gil, Jongno-gu, Seoul"),
			Capacity: 20, SlotMinutes: 60, DepositPerPerson: 10_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 6,
			LeadMinutes: 30, HorizonDays: 30, Policy: standard,
			Hours: hours(on(without(time.Monday), "11:30", "14:30"), on(without(time.Monday), "17:30", "20:30")),
		},
		rest: monthlyRest{week: 3, weekday: time.Tuesday},
		menu: []booking.MenuItem{
			dish(set, 32_000, text("담담 반상", "Damdam table"), text("솥밥, 된장국, 여섯 가지 찬과 오늘의 생선구이", "Pot rice, soybean soup, six side dishes and the day's grilled fish")),
			daily(12, dish(set, 48_000, text("너비아니 반상", "Neobiani table"), text("한우 너비아니를 곁들인 반상", "The Damdam table with grilled Hanwoo beef neobiani"))),
			dish(starter, 14_000, text("잣즙 채소 냉채", "Chilled vegetables in pine-nut dressing"), text("배와 오이, 새우를 잣즙에 버무린 냉채", "Pear, cucumber and shrimp in ground pine nuts")),
			dish(main, 26_000, text("들깨 버섯탕", "Perilla mushroom stew"), text("능이와 표고를 들깨로 끓인 맑지 않은 탕", "Wild and shiitake mushrooms in a thick perilla broth")),
			dish(main, 38_000, text("소갈비찜", "Braised short ribs"), text("밤과 대추를 넣고 세 시간 조린 갈비", "Short ribs braised for three hours with chestnut and jujube")),
			dish(side, 9_000, text("제철 나물 세 가지", "Three seasonal namul"), text("그날 장에서 고른 나물", "Greens picked at the morning market")),
			dish(dessert, 7_000, text("개성주악", "Gaeseong juak"), text("막걸리로 발효해 튀긴 찹쌀 도넛", "Rice-wine doughnuts in ginger syrup")),
			dish(drink, 6_000, text("오미자 화채", "Omija punch"), text("다섯 가지 맛의 오미자에 배를 띄운 음료", "Five-flavour berry punch with pear")),
			dish(drink, 16_000, text("이화주 한 병", "Ihwaju rice wine"), text("숟가락으로 떠먹는 고려의 탁주", "A Goryeo rice wine thick enough for a spoon")),
		},
	}
}

func jeongdong() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "brasserie-jeongdong", Picture: "bistro", District: "jongno", Cuisine: "french",
			Name: text("브라스리 정동", "Brasserie Jeongdong"),
			Description: text(
				"돌담길이 보이는 아치 창 옆에서 즐기는 파리식 비스트로 요리. 주말에는 브런치도 합니다.",
				"Parisian bistro cooking beside an arched window on the stone-wall road. Brunch at weekends."),
			Address:  text("서울 종로구 새문안로3길 15", "15 Saemunan-ro 3-gil, Jongno-gu, Seoul"),
			Capacity: 28, SlotMinutes: 30, DepositPerPerson: 15_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 8,
			LeadMinutes: 60, HorizonDays: 30, Policy: standard,
			Hours: hours(on(weekdays, "11:30", "13:30"), on(weekend, "10:30", "14:30"), on(everyDay, "17:30", "21:00")),
		},
		menu: []booking.MenuItem{
			served("11:00", "14:30", dish(set, 42_000, text("런치 코스", "Lunch course"), text("수프, 오늘의 메인, 커피", "Soup, main of the day and coffee"))),
			dish(starter, 16_000, text("양파 수프", "French onion soup"), text("그뤼에르를 덮어 구운 양파 수프", "Gratinated with Gruyère")),
			dish(starter, 19_000, text("비프 타르타르", "Beef tartare"), text("한우 채끝과 케이퍼, 메추리알", "Hanwoo striploin, capers and quail egg")),
			dish(main, 46_000, text("스테이크 프리트", "Steak frites"), text("등심 스테이크와 감자튀김, 카페 드 파리 버터", "Sirloin, fries and café de Paris butter")),
			dish(main, 34_000, text("오리 콩피", "Duck confit"), text("렌틸과 겨자 소스를 곁들인 오리 다리", "Duck leg with lentils and mustard sauce")),
			dish(main, 32_000, text("부야베스", "Bouillabaisse"), text("남해 생선과 홍합, 사프란 국물", "South Sea fish and mussels in saffron broth")),
			dish(dessert, 12_000, text("크렘 브륄레", "Crème brûlée"), text("마다가스카르 바닐라", "Madagascar vanilla")),
			dish(drink, 15_000, text("하우스 와인 한 잔", "House wine, glass"), text("레드 또는 화이트", "Red or white")),
			dish(drink, 8_000, text("배 에이드", "Pear soda"), text("나주 배와 로즈메리", "Naju pear and rosemary")),
		},
	}
}

func masala() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "masala-road", Picture: "curry", District: "jongno", Cuisine: "indian",
			Name: text("마살라 로드", "Masala Road"),
			Description: text(
				"탄두르 화덕에서 갓 구운 난과 구리 접시에 나오는 탈리. 매운맛은 네 단계로 고릅니다.",
				"Naan straight from the tandoor and thali on copper plates. Four degrees of heat to choose from."),
			Address:  text("서울 종로구 종로 245 2층", "2F, 245 Jong-ro, Jongno-gu, Seoul"),
			Capacity: 36, SlotMinutes: 30, DepositPerPerson: 5_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 10,
			LeadMinutes: 20, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(everyDay, "11:30", "14:30"), on(everyDay, "17:00", "21:00")),
		},
		menu: []booking.MenuItem{
			dish(set, 24_000, text("탈리 정식", "Thali"), text("커리 세 가지, 사프란 밥, 난, 라이타", "Three curries, saffron rice, naan and raita")),
			dish(set, 20_000, text("채식 탈리", "Vegetable thali"), text("병아리콩, 시금치, 감자 커리", "Chickpea, spinach and potato curries")),
			dish(starter, 8_000, text("사모사 두 조각", "Samosas, two"), text("감자와 완두를 넣은 튀김", "Filled with potato and peas")),
			dish(main, 18_000, text("버터 치킨", "Butter chicken"), text("토마토와 캐슈너트의 부드러운 커리", "Tomato and cashew curry")),
			dish(main, 17_000, text("팔락 파니르", "Palak paneer"), text("시금치와 직접 만든 치즈", "Spinach and house-made cheese")),
			dish(main, 22_000, text("램 로간 조시", "Lamb rogan josh"), text("카슈미르 고추로 조린 양고기", "Lamb slow-cooked with Kashmiri chilli")),
			dish(main, 24_000, text("탄두리 치킨 반 마리", "Half tandoori chicken"), text("요거트에 하룻밤 재운 닭", "Marinated overnight in yoghurt")),
			dish(side, 4_000, text("갈릭 난", "Garlic naan"), text("화덕에서 바로", "Straight from the oven")),
			dish(dessert, 6_000, text("굴랍 자문", "Gulab jamun"), text("장미 시럽의 우유 도넛", "Milk dumplings in rose syrup")),
			dish(drink, 6_000, text("망고 라씨", "Mango lassi"), text("알폰소 망고", "Alphonso mango")),
		},
	}
}

func dahyang() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "dahyangjeong", Picture: "dessert", District: "jongno", Cuisine: "cafe",
			Name: text("다향정", "Dahyangjeong"),
			Description: text(
				"서촌 정자에서 우려 내는 차와 매일 아침 찌는 떡. 차 한 상에 한 시간 반을 드립니다.",
				"Tea brewed in a Seochon pavilion and rice cakes steamed every morning. A tea table is yours for ninety minutes."),
			Address:  text("서울 종로구 필운대로 41", "41 Pirundae-ro, Jongno-gu, Seoul"),
			Capacity: 12, SlotMinutes: 90, DepositPerPerson: 8_000, HoldMinutes: 7, PartyMin: 1, PartyMax: 4,
			LeadMinutes: 30, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(without(time.Tuesday), "10:30", "18:00")),
		},
		rest: monthlyRest{week: 1, weekday: time.Wednesday},
		menu: []booking.MenuItem{
			dish(set, 28_000, text("다과상", "Tea table"), text("차 두 가지와 떡, 한과 다섯 가지", "Two teas with five rice cakes and sweets")),
			daily(6, dish(set, 39_000, text("계절 다과상", "Season's tea table"), text("제철 과일 정과와 죽을 더한 상", "With candied seasonal fruit and porridge"))),
			dish(drink, 9_000, text("우전 녹차", "Ujeon green tea"), text("하동의 첫물차", "First-flush leaves from Hadong")),
			dish(drink, 8_000, text("쌍화차", "Ssanghwa tea"), text("잣과 대추를 띄운 한방차", "Herbal tea with pine nuts and jujube")),
			dish(drink, 8_000, text("말차 라떼", "Matcha latte"), text("제주 말차와 우유", "Jeju matcha and milk")),
			dish(dessert, 7_000, text("흑임자 인절미", "Black sesame injeolmi"), text("갓 찧어 흑임자를 묻힌 떡", "Freshly pounded rice cake in black sesame")),
			dish(dessert, 7_000, text("약과 세 조각", "Yakgwa, three"), text("조청에 재운 꿀과자", "Honey cookies soaked in grain syrup")),
			dish(dessert, 9_000, text("단호박 양갱", "Pumpkin yanggaeng"), text("팥과 단호박 두 층", "Two layers of red bean and pumpkin")),
			dish(dessert, 12_000, text("팥빙수", "Red-bean shaved ice"), text("우유 얼음에 국산 팥", "Milk ice with Korean red beans")),
		},
	}
}
