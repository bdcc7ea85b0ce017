package setup

// Districts are the keys of the districts that a restaurant can be in; the last is for all others.
func Districts() []string {
	return []string{"gangnam", "jongno", "mapo", "jung", "yongsan", "seongdong", "seocho", "songpa", "yeongdeungpo",
		"seoul", "gyeonggi", "incheon", "busan", "jeju", "elsewhere"}
}

// Cuisines are the keys of the cuisines; the last is for all others.
func Cuisines() []string {
	return []string{"korean", "japanese", "chinese", "italian", "french", "indian", "vietnamese", "seafood",
		"vegetarian", "pub", "cafe", "various"}
}

// Dishes are the names of the drawn pictures of dishes, in static/pictures.
func Dishes() []string {
	return []string{"barbecue", "bibimbap", "bistro", "bunsik", "curry", "dessert", "dimsum", "hanjeongsik", "naengmyeon",
		"pasta", "pho", "pub", "ramen", "seafood", "sushi", "vegan"}
}

// Pictures are the names of all drawn pictures that a restaurant may have: of dishes, its tables and its rooms.
func Pictures() []string {
	return append(Dishes(), "table", "counter", "front", "garden", "glass", "hall", "kitchen")
}

// TimeZones are the zones that the form offers; a program may name any other.
func TimeZones() []string {
	return []string{"Asia/Seoul", "Asia/Tokyo", "Asia/Shanghai", "Asia/Taipei", "Asia/Singapore", "Asia/Bangkok",
		"Asia/Ho_Chi_Minh", "Australia/Sydney", "Europe/London", "Europe/Paris", "Europe/Berlin", "America/New_York",
		"America/Los_Angeles", "UTC"}
}
