package seed

import (
	"time"

	"lunchgo/app/booking"
)

func oreum() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "oreum-noodles", Picture: "ramen", District: "mapo", Cuisine: "korean",
			Name: text("오름국수", "Oreum Noodles"),
			Description: text(
				"제주식 고기국수 한 그릇. 십오 분마다 자리가 나니 점심시간이 짧아도 넉넉합니다.",
				"Jeju pork noodle soup. A table every fifteen minutes, so that a short lunch break is long enough."),
			Address:  text("서울 마포구 양화로6길 50", "50 Yanghwa-ro 6-gil, Mapo-gu, Seoul"),
			Capacity: 14, SlotMinutes: 15, DepositPerPerson: 3_000, HoldMinutes: 5, PartyMin: 1, PartyMax: 4,
			LeadMinutes: 10, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(without(time.Wednesday), "11:00", "14:30"), on(without(time.Wednesday), "17:00", "19:45")),
		},
		menu: []booking.MenuItem{
			dish(set, 16_000, text("고기국수 세트", "Noodle set"), text("고기국수와 돔베고기 작은 접시", "Noodle soup with a small plate of sliced pork")),
			dish(main, 11_000, text("고기국수", "Pork noodle soup"), text("돼지 뼈를 열두 시간 우린 국물", "Twelve-hour pork bone broth")),
			dish(main, 11_000, text("비빔국수", "Spicy mixed noodles"), text("매콤한 양념에 비빈 중면", "Noodles in a hot sauce")),
			dish(main, 12_000, text("멸치국수", "Anchovy noodle soup"), text("남해 죽방 멸치 국물", "Clear broth of South Sea anchovies")),
			dish(main, 10_000, text("보말죽", "Sea snail porridge"), text("제주 보말과 참기름", "Jeju sea snails and sesame oil")),
			dish(side, 18_000, text("돔베고기", "Dombe pork"), text("도마에 썰어 내는 삶은 돼지고기", "Boiled pork sliced on the board")),
			dish(side, 6_000, text("빙떡", "Buckwheat roll"), text("메밀전에 무채를 말아", "Buckwheat crêpe with radish")),
			dish(drink, 5_000, text("감귤 주스", "Tangerine juice"), text("서귀포 감귤", "From Seogwipo")),
			dish(drink, 6_000, text("제주 막걸리", "Jeju makgeolli"), text("생막걸리 한 병", "Unpasteurised rice beer")),
		},
	}
}

func bamPocha() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "bam-pocha", Picture: "pub", District: "mapo", Cuisine: "pub",
			Name: text("밤포차", "Bam Pocha"),
			Description: text(
				"해가 지면 여는 포장마차. 새벽 한 시 반까지 국물과 꼬치, 이야기가 이어집니다.",
				"A tent bar that opens at dusk: broth, skewers and stories until half past one in the morning."),
			Address:  text("서울 마포구 와우산로29길 14", "14 Wausan-ro 29-gil, Mapo-gu, Seoul"),
			Capacity: 32, SlotMinutes: 30, DepositPerPerson: 5_000, HoldMinutes: 5, PartyMin: 2, PartyMax: 8,
			LeadMinutes: 15, HorizonDays: 30, Policy: flexible,
			// Evenings from Tuesday to Sunday; what is after midnight belongs to the day that follows.
			Hours: hours(on(without(time.Monday), "18:00", "23:30"), on(without(time.Tuesday), "00:00", "01:30")),
		},
		menu: []booking.MenuItem{
			dish(set, 39_000, text("밤포차 세트", "Bam Pocha set"), text("어묵탕과 닭꼬치, 파전", "Fish-cake soup, chicken skewers and scallion pancake")),
			dish(main, 18_000, text("어묵탕", "Fish-cake soup"), text("무와 게를 넣은 뜨거운 국물", "Hot broth with radish and crab")),
			dish(main, 22_000, text("닭발 볶음", "Stir-fried chicken feet"), text("뼈 없는 매운 닭발", "Boneless and hot")),
			dish(main, 24_000, text("골뱅이 소면", "Sea snails with noodles"), text("새콤달콤한 골뱅이 무침", "Sweet and sour, with thin noodles")),
			dish(main, 17_000, text("해물파전", "Seafood pancake"), text("쪽파와 오징어", "Scallions and squid")),
			dish(side, 12_000, text("닭꼬치 네 개", "Chicken skewers, four"), text("소금 또는 양념", "Salted or glazed")),
			dish(side, 8_000, text("계란말이", "Rolled omelette"), text("치즈를 넣은 두툼한 말이", "Thick, with cheese")),
			dish(drink, 5_000, text("소주", "Soju"), text("한 병", "Bottle")),
			dish(drink, 9_000, text("유자 하이볼", "Yuja highball"), text("고흥 유자청", "With Goheung yuja")),
			dish(drink, 4_000, text("보리차", "Barley tea"), text("따뜻하거나 차게", "Hot or cold")),
		},
	}
}

func hongdeung() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "hongdeung", Picture: "dimsum", District: "mapo", Cuisine: "chinese",
			Name: text("홍등", "Hongdeung"),
			Description: text(
				"붉은 등 아래 대나무 찜통이 쌓이는 딤섬 집. 주문이 들어온 뒤에 빚어 찝니다.",
				"Dim sum under red lanterns, folded and steamed in bamboo baskets after you order."),
			Address:  text("서울 마포구 연희로1길 7", "7 Yeonhui-ro 1-gil, Mapo-gu, Seoul"),
			Capacity: 30, SlotMinutes: 60, DepositPerPerson: 8_000, HoldMinutes: 7, PartyMin: 2, PartyMax: 10,
			DepositTiers: []booking.DepositTier{perParty(6, 60_000)},
			StayTiers:    []booking.StayTier{{FromParty: 7, Slots: 2}, {FromParty: 10, Slots: 3}},
			LeadMinutes:  30, HorizonDays: 30, Policy: standard,
			Hours: hours(on(everyDay, "11:30", "21:30")),
		},
		room: dimsumHall(),
		menu: []booking.MenuItem{
			dish(set, 29_000, text("딤섬 한 상", "Dim sum table"), text("찜통 다섯 가지와 차", "Five baskets and tea")),
			daily(6, dish(set, 45_000, text("북경오리 반 마리 상", "Half Peking duck table"), text("전병과 오리 국까지", "With pancakes and duck broth"))),
			dish(starter, 9_000, text("오이무침", "Smashed cucumber"), text("마늘과 흑초", "Garlic and black vinegar")),
			dish(main, 9_000, text("하가우 네 개", "Har gow, four"), text("새우가 비치는 투명한 만두", "Shrimp in translucent wrappers")),
			dish(main, 9_000, text("샤오롱바오 네 개", "Xiaolongbao, four"), text("뜨거운 육즙을 머금은 만두", "With hot broth inside")),
			dish(main, 14_000, text("홍유초수", "Wontons in chilli oil"), text("쓰촨 고추기름과 땅콩", "Sichuan chilli and peanuts")),
			dish(main, 26_000, text("꿔바로우", "Crispy sweet pork"), text("찹쌀 반죽으로 튀긴 돼지고기", "Fried in sticky-rice batter")),
			dish(side, 11_000, text("XO 볶음밥", "XO fried rice"), text("말린 관자와 달걀", "Dried scallop and egg")),
			dish(dessert, 6_000, text("에그타르트 두 개", "Egg tarts, two"), text("막 구운 것으로", "Just out of the oven")),
			dish(drink, 8_000, text("재스민차", "Jasmine tea"), text("주전자로", "By the pot")),
		},
	}
}

func saigon() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "saigon-alley", Picture: "pho", District: "mapo", Cuisine: "vietnamese",
			Name: text("사이공 골목", "Saigon Alley"),
			Description: text(
				"향채를 아끼지 않는 남부식 쌀국수. 타일 벽의 작은 골목 식당입니다.",
				"Southern-style pho that does not save on herbs, in a small tiled alley kitchen."),
			Address:  text("서울 마포구 동교로38길 9", "9 Donggyo-ro 38-gil, Mapo-gu, Seoul"),
			Capacity: 18, SlotMinutes: 30, DepositPerPerson: 4_000, HoldMinutes: 5, PartyMin: 1, PartyMax: 6,
			LeadMinutes: 15, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(without(time.Monday), "11:00", "14:30"), on(without(time.Monday), "17:00", "20:30")),
		},
		menu: []booking.MenuItem{
			dish(set, 21_000, text("골목 한 상", "Alley set"), text("쌀국수와 짜조, 라임에이드", "Pho, spring rolls and lime soda")),
			dish(starter, 8_000, text("고이꾸온", "Fresh spring rolls"), text("새우와 향채를 만 월남쌈", "Shrimp and herbs in rice paper")),
			dish(starter, 9_000, text("짜조", "Fried spring rolls"), text("바삭한 돼지고기 튀김 말이", "Crisp, with pork")),
			dish(main, 12_000, text("소고기 쌀국수", "Beef pho"), text("양지와 차돌", "Brisket and flank")),
			dish(main, 13_000, text("분짜", "Bún chả"), text("숯불 돼지고기와 느억맘", "Charcoal pork with dipping sauce")),
			dish(main, 11_000, text("반미", "Bánh mì"), text("절인 무와 고수를 넣은 바게트", "Baguette with pickles and coriander")),
			dish(main, 16_000, text("반쎄오", "Bánh xèo"), text("새우와 숙주를 넣은 부침", "Crisp pancake with shrimp and bean sprouts")),
			dish(dessert, 6_000, text("쩨", "Chè"), text("녹두와 코코넛", "Mung beans and coconut")),
			dish(drink, 6_000, text("연유 커피", "Vietnamese coffee"), text("얼음과 연유", "Iced, with condensed milk")),
		},
	}
}

func multtae() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "multtae", Picture: "seafood", District: "mapo", Cuisine: "seafood",
			Name: text("물때", "Multtae"),
			Description: text(
				"물때를 보고 산지에서 올라온 해산물만 내는 집. 금요일과 토요일은 늦게까지 엽니다.",
				"Only what the tide brought in, straight from the coast. Open late on Fridays and Saturdays."),
			Address:  text("서울 마포구 성미산로 161", "161 Seongmisan-ro, Mapo-gu, Seoul"),
			Capacity: 22, SlotMinutes: 30, DepositPerPerson: 12_000, HoldMinutes: 7, PartyMin: 2, PartyMax: 8,
			LeadMinutes: 60, HorizonDays: 30, Policy: standard,
			Hours: hours(
				on([]time.Weekday{time.Sunday, time.Wednesday, time.Thursday}, "17:00", "21:00"),
				on([]time.Weekday{time.Friday, time.Saturday}, "17:00", "23:00"),
				on(weekend, "12:00", "14:30")),
		},
		menu: []booking.MenuItem{
			lasting(3, daily(8, dish(set, 65_000, text("물때 한 상", "Tide table"), text("회, 구이, 찜, 매운탕까지", "Raw, grilled, steamed, and a spicy stew to end")))),
			dish(starter, 18_000, text("통영 석화 여섯 개", "Tongyeong oysters, six"), text("초장과 레몬", "Chilli vinegar and lemon")),
			dish(starter, 16_000, text("멍게 비빔", "Sea squirt salad"), text("미나리와 참기름", "Water parsley and sesame oil")),
			dish(main, 48_000, text("오늘의 회 한 접시", "Sashimi of the day"), text("광어와 도미, 제철 한 가지", "Flounder, bream and one in season")),
			dish(main, 42_000, text("조개찜", "Steamed shellfish"), text("가리비, 백합, 바지락", "Scallops, hard clams and Manila clams")),
			dish(main, 36_000, text("갈치조림", "Braised cutlassfish"), text("제주 은갈치와 무", "Jeju cutlassfish with radish")),
			dish(main, 28_000, text("문어 숙회", "Poached octopus"), text("동해 돌문어", "From the East Sea")),
			dish(side, 12_000, text("성게알 비빔밥", "Sea urchin rice"), text("김과 오이를 곁들여", "With seaweed and cucumber")),
			dish(drink, 22_000, text("화이트 와인 반 병", "White wine, half bottle"), text("알바리뇨", "Albariño")),
			dish(drink, 5_000, text("매실차", "Plum tea"), text("따뜻하거나 차게", "Hot or cold")),
		},
	}
}

func myeonok() house {
	return house{
		restaurant: booking.Restaurant{
			Slug: "yeonnam-myeonok", Picture: "naengmyeon", District: "mapo", Cuisine: "korean",
			Name: text("연남면옥", "Yeonnam Myeonok"),
			Description: text(
				"메밀을 그날 갈아 그날 누르는 냉면집. 겨울에는 뜨거운 어복쟁반도 냅니다.",
				"Cold noodles from buckwheat milled and pressed the same day; in winter a hot beef platter as well."),
			Address:  text("서울 마포구 연남로 88", "88 Yeonnam-ro, Mapo-gu, Seoul"),
			Capacity: 26, SlotMinutes: 30, DepositPerPerson: 5_000, HoldMinutes: 5, PartyMin: 1, PartyMax: 8,
			DepositTiers: []booking.DepositTier{noDeposit(1), perPerson(4, 5_000)},
			LeadMinutes:  15, HorizonDays: 30, Policy: flexible,
			Hours: hours(on(without(time.Tuesday), "11:00", "20:30")),
		},
		rest: monthlyRest{week: 4, weekday: time.Thursday},
		menu: []booking.MenuItem{
			dish(set, 62_000, text("어복쟁반", "Beef platter"), text("양지와 만두, 채소를 놋쟁반에 끓여 둘이서", "Brisket, dumplings and greens in a brass pan, for two")),
			dish(main, 15_000, text("평양냉면", "Pyongyang cold noodles"), text("맑은 소고기 육수와 메밀면", "Buckwheat noodles in clear beef broth")),
			dish(main, 15_000, text("비빔냉면", "Spicy cold noodles"), text("묵은 고춧가루 양념과 배", "Aged chilli sauce and pear")),
			dish(main, 16_000, text("회냉면", "Cold noodles with skate"), text("새콤한 홍어 무침", "Topped with pickled skate")),
			dish(main, 14_000, text("온반", "Hot rice soup"), text("찢은 닭고기와 녹두전을 얹은 국밥", "Chicken and a mung-bean pancake on rice")),
			dish(side, 12_000, text("녹두빈대떡", "Mung-bean pancake"), text("돼지기름에 지진 두툼한 전", "Thick, fried in lard")),
			dish(side, 13_000, text("이북식 만두 다섯 개", "Northern dumplings, five"), text("두부와 숙주로 채운 왕만두", "Filled with tofu and bean sprouts")),
			dish(side, 28_000, text("제육 반 접시", "Sliced pork, half plate"), text("삶아 식힌 돼지고기와 무김치", "Boiled pork with radish kimchi")),
			dish(drink, 6_000, text("배 식혜", "Pear sikhye"), text("살얼음을 띄워", "Half frozen")),
		},
	}
}
