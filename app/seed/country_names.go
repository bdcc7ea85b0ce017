package seed

import "lunchgo/app/booking"

// What the restaurants and the people of a country are called.

// favouriteTimes are the times at which people come, the favourite first.
var favouriteTimes = []string{"18:30", "12:30", "19:30", "11:30", "17:30"}

var surnames = []string{"김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황", "안", "송",
	"류", "홍"}

var givenNames = []string{
	"민준", "서준", "도윤", "예준", "시우", "하준", "지호", "주원", "지후", "준우", "서연", "서윤", "지우", "서현", "하은",
	"하윤", "민서", "지유", "윤서", "채원", "수아", "지아", "다은", "예은", "은서", "현우", "승민", "태윤", "유진", "소율",
}

// words begin the names of restaurants.
var words = []booking.Text{
	text("고운", "Goun"), text("다온", "Daon"), text("새벽", "Saebyeok"), text("은빛", "Eunbit"),
	text("푸른", "Pureun"), text("바람", "Baram"), text("소담", "Sodam"), text("도담", "Dodam"),
	text("온새", "Onsae"), text("윤슬", "Yunseul"), text("가람", "Garam"), text("나루", "Naru"),
	text("미르", "Mireu"), text("보름", "Boreum"), text("초롱", "Chorong"), text("한결", "Hangyeol"),
	text("하늘", "Haneul"), text("달빛", "Dalbit"), text("별빛", "Byeolbit"), text("솔향", "Solhyang"),
	text("여울", "Yeoul"), text("이음", "Ieum"), text("자란", "Jaran"), text("참솔", "Chamsol"),
}

// An area is where towns lie.
type area struct {
	district    string
	name, place booking.Text
}

var areas = []area{
	{"gangnam", text("역삼", "Yeoksam"), text("서울 강남구", "Gangnam-gu, Seoul")},
	{"gangnam", text("청담", "Cheongdam"), text("서울 강남구", "Gangnam-gu, Seoul")},
	{"jongno", text("혜화", "Hyehwa"), text("서울 종로구", "Jongno-gu, Seoul")},
	{"jongno", text("부암", "Buam"), text("서울 종로구", "Jongno-gu, Seoul")},
	{"mapo", text("연남", "Yeonnam"), text("서울 마포구", "Mapo-gu, Seoul")},
	{"mapo", text("망원", "Mangwon"), text("서울 마포구", "Mapo-gu, Seoul")},
	{"jung", text("명동", "Myeongdong"), text("서울 중구", "Jung-gu, Seoul")},
	{"jung", text("신당", "Sindang"), text("서울 중구", "Jung-gu, Seoul")},
	{"yongsan", text("한남", "Hannam"), text("서울 용산구", "Yongsan-gu, Seoul")},
	{"yongsan", text("이촌", "Ichon"), text("서울 용산구", "Yongsan-gu, Seoul")},
	{"seongdong", text("성수", "Seongsu"), text("서울 성동구", "Seongdong-gu, Seoul")},
	{"seongdong", text("왕십리", "Wangsimni"), text("서울 성동구", "Seongdong-gu, Seoul")},
	{"seocho", text("반포", "Banpo"), text("서울 서초구", "Seocho-gu, Seoul")},
	{"seocho", text("방배", "Bangbae"), text("서울 서초구", "Seocho-gu, Seoul")},
	{"songpa", text("잠실", "Jamsil"), text("서울 송파구", "Songpa-gu, Seoul")},
	{"songpa", text("문정", "Munjeong"), text("서울 송파구", "Songpa-gu, Seoul")},
	{"yeongdeungpo", text("여의도", "Yeouido"), text("서울 영등포구", "Yeongdeungpo-gu, Seoul")},
	{"yeongdeungpo", text("문래", "Mullae"), text("서울 영등포구", "Yeongdeungpo-gu, Seoul")},
	{"seoul", text("수유", "Suyu"), text("서울 강북구", "Gangbuk-gu, Seoul")},
	{"seoul", text("상도", "Sangdo"), text("서울 동작구", "Dongjak-gu, Seoul")},
	{"gyeonggi", text("분당", "Bundang"), text("경기 성남시", "Seongnam")},
	{"gyeonggi", text("행궁", "Haenggung"), text("경기 수원시", "Suwon")},
	{"gyeonggi", text("일산", "Ilsan"), text("경기 고양시", "Goyang")},
	{"gyeonggi", text("평촌", "Pyeongchon"), text("경기 안양시", "Anyang")},
	{"incheon", text("송도", "Songdo"), text("인천 연수구", "Yeonsu-gu, Incheon")},
	{"incheon", text("부평", "Bupyeong"), text("인천 부평구", "Bupyeong-gu, Incheon")},
	{"busan", text("해운대", "Haeundae"), text("부산 해운대구", "Haeundae-gu, Busan")},
	{"busan", text("서면", "Seomyeon"), text("부산 부산진구", "Busanjin-gu, Busan")},
	{"busan", text("광안", "Gwangan"), text("부산 수영구", "Suyeong-gu, Busan")},
	{"busan", text("남포", "Nampo"), text("부산 중구", "Jung-gu, Busan")},
	{"jeju", text("애월", "Aewol"), text("제주 제주시", "Jeju")},
	{"jeju", text("중문", "Jungmun"), text("제주 서귀포시", "Seogwipo")},
	{"elsewhere", text("동성로", "Dongseongno"), text("대구 중구", "Jung-gu, Daegu")},
	{"elsewhere", text("수성", "Suseong"), text("대구 수성구", "Suseong-gu, Daegu")},
	{"elsewhere", text("충장", "Chungjang"), text("광주 동구", "Dong-gu, Gwangju")},
	{"elsewhere", text("상무", "Sangmu"), text("광주 서구", "Seo-gu, Gwangju")},
	{"elsewhere", text("둔산", "Dunsan"), text("대전 서구", "Seo-gu, Daejeon")},
	{"elsewhere", text("대흥", "Daeheung"), text("대전 중구", "Jung-gu, Daejeon")},
	{"elsewhere", text("삼산", "Samsan"), text("울산 남구", "Nam-gu, Ulsan")},
	{"elsewhere", text("풍남", "Pungnam"), text("전북 전주시", "Jeonju")},
	{"elsewhere", text("교동", "Gyodong"), text("강원 강릉시", "Gangneung")},
	{"elsewhere", text("효자", "Hyoja"), text("강원 춘천시", "Chuncheon")},
	{"elsewhere", text("황남", "Hwangnam"), text("경북 경주시", "Gyeongju")},
	{"elsewhere", text("학동", "Hakdong"), text("전남 여수시", "Yeosu")},
	{"elsewhere", text("성안", "Seongan"), text("충북 청주시", "Cheongju")},
}

// A kind is what a restaurant cooks, and how its name ends.
type kind struct {
	cuisine, picture string
	endings, dishes  []booking.Text
}

var kinds = []kind{
	{"korean", "hanjeongsik", []booking.Text{text("식당", "Kitchen"), text("밥상", "Table"), text("한상", "Hansang")}, []booking.Text{
		text("한정식", "a Korean table"), text("불고기", "bulgogi"), text("비빔밥", "bibimbap"),
		text("된장찌개", "soybean stew"), text("잡채", "glass noodles"), text("갈비찜", "braised ribs"),
	}},
	{"japanese", "sushi", []booking.Text{text("스시", "Sushi"), text("초밥", "Chobap"), text("이자카야", "Izakaya")}, []booking.Text{
		text("모둠 초밥", "mixed sushi"), text("사시미", "sashimi"), text("우동", "udon"),
		text("돈카츠", "pork cutlet"), text("텐동", "tempura on rice"), text("메밀국수", "buckwheat noodles"),
	}},
	{"chinese", "dimsum", []booking.Text{text("반점", "Banjeom"), text("루", "House"), text("각", "Pavilion")}, []booking.Text{
		text("딤섬", "dim sum"), text("짜장면", "noodles in black bean sauce"), text("짬뽕", "spicy seafood noodles"),
		text("탕수육", "sweet and sour pork"), text("마파두부", "mapo tofu"), text("유산슬", "stir-fried seafood"),
	}},
	{"italian", "pasta", []booking.Text{text("파스타", "Pasta"), text("키친", "Cucina"), text("오스테리아", "Osteria")}, []booking.Text{
		text("생면 파스타", "fresh pasta"), text("라구", "ragù"), text("봉골레", "vongole"),
		text("리소토", "risotto"), text("화덕 피자", "pizza from the oven"), text("라자냐", "lasagne"),
	}},
	{"french", "bistro", []booking.Text{text("비스트로", "Bistro"), text("테이블", "Tables"), text("브라세리", "Brasserie")}, []booking.Text{
		text("스테이크 프리트", "steak frites"), text("양파 수프", "onion soup"), text("오리 콩피", "duck confit"),
		text("키슈", "quiche"), text("부야베스", "bouillabaisse"), text("뵈프 부르기뇽", "beef bourguignon"),
	}},
	{"indian", "curry", []booking.Text{text("커리", "Curry"), text("탄두르", "Tandoor"), text("마살라", "Masala")}, []booking.Text{
		text("커리", "curry"), text("탄두리 치킨", "tandoori chicken"), text("비리야니", "biryani"),
		text("팔락 파니르", "palak paneer"), text("사모사", "samosas"), text("달", "dal"),
	}},
	{"vietnamese", "pho", []booking.Text{text("쌀국수", "Pho"), text("포", "Pho House"), text("사이공", "Saigon")}, []booking.Text{
		text("쌀국수", "pho"), text("분짜", "bun cha"), text("반미", "banh mi"),
		text("월남쌈", "summer rolls"), text("반쎄오", "banh xeo"), text("볶음밥", "fried rice"),
	}},
	{"seafood", "seafood", []booking.Text{text("횟집", "Raw Fish"), text("해물", "Seafood"), text("포구", "Harbour")}, []booking.Text{
		text("모둠회", "raw fish"), text("해물탕", "seafood stew"), text("대게", "snow crab"),
		text("전복구이", "grilled abalone"), text("생선구이", "grilled fish"), text("매운탕", "spicy fish stew"),
	}},
	{"vegetarian", "vegan", []booking.Text{text("채식", "Green"), text("채소", "Garden"), text("뜰", "Leaf")}, []booking.Text{
		text("제철 채소", "vegetables of the season"), text("연잎밥", "rice in lotus leaf"), text("두부 요리", "tofu"),
		text("버섯전골", "mushroom hot pot"), text("들깨탕", "perilla soup"), text("나물밥", "rice with greens"),
	}},
	{"pub", "pub", []booking.Text{text("포차", "Pocha"), text("주막", "Tavern"), text("선술집", "Taproom")}, []booking.Text{
		text("모둠 안주", "plates to share"), text("닭꼬치", "chicken skewers"), text("해물파전", "seafood pancake"),
		text("골뱅이무침", "whelk salad"), text("두부김치", "tofu and kimchi"), text("어묵탕", "fish cake soup"),
	}},
	{"cafe", "dessert", []booking.Text{text("다방", "Dabang"), text("과자점", "Patisserie"), text("찻집", "Tea House")}, []booking.Text{
		text("케이크", "cake"), text("빙수", "shaved ice"), text("샌드위치", "sandwiches"),
		text("약과", "honey biscuits"), text("스콘", "scones"), text("수플레", "soufflé"),
	}},
	{"korean", "barbecue", []booking.Text{text("갈비", "Galbi"), text("화로", "Hwaro"), text("고깃집", "Barbecue")}, []booking.Text{
		text("돼지갈비", "pork ribs"), text("삼겹살", "pork belly"), text("한우 등심", "Hanwoo ribeye"),
		text("육회", "beef tartare"), text("냉면", "cold noodles"), text("차돌된장", "brisket and soybean stew"),
	}},
}
