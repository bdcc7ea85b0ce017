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

// Pictures are the names of the drawn pictures.
func Pictures() []string {
	return []string{"table", "barbecue", "bibimbap", "bistro", "bunsik", "counter", "curry", "dessert", "dimsum", "front",
		"garden", "glass", "hall", "hanjeongsik", "kitchen", "naengmyeon", "pasta", "pho", "pub", "ramen", "seafood",
		"sushi", "vegan"}
}

// TimeZones are the zones that the form offers; a program may name any other.
func TimeZones() []string {
	return []string{"Asia/Seoul", "Asia/Tokyo", "Asia/Shanghai", "Asia/Taipei", "Asia/Singapore", "Asia/Bangkok",
		"Asia/Ho_Chi_Minh", "Australia/Sydney", "Europe/London", "Europe/Paris", "Europe/Berlin", "America/New_York",
		"America/Los_Angeles", "UTC"}
}
