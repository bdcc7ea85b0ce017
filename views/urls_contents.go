package views

import "strconv"

// ContentsMenuURL lists the menu as staff set it up. GET: contents.Menu.
func ContentsMenuURL(restaurant int64) string { return contentsURL(restaurant) + "/menu" }

// ContentsItemURL is a dish of the menu; "new" stands for one to come. GET: contents.Item. POST (multipart, with a
// picture): 303 to the menu, 409 and 422 render contents.Item again.
func ContentsItemURL(restaurant int64, item string) string {
	return ContentsMenuURL(restaurant) + "/" + item
}

// ContentsMoveURL moves a dish. POST: fields FieldMove ("up" or "down"), FieldVersion; 303 to the menu, 409 renders
// contents.Menu.
func ContentsMoveURL(restaurant, item int64) string {
	return ContentsItemURL(restaurant, strconv.FormatInt(item, 10)) + "/move"
}

// ContentsPictureURL is the picture of the restaurant. GET: contents.Picture. POST (multipart): field FieldAction
// ActionUpload with FieldFile, else FieldPicture, and FieldVersion; or for the gallery ActionAddPhoto with FieldPhoto,
// ActionRemovePhoto or ActionEarlier with FieldPicture. 303 to itself, 409 and 422 render contents.Picture again.
func ContentsPictureURL(restaurant int64) string { return contentsURL(restaurant) + "/picture" }

// ContentsSeatsURL is the room with its seats. GET: contents.Seats. POST: 303 to itself; with an action other than
// save, and with 409 and 422, contents.Seats with what was typed.
func ContentsSeatsURL(restaurant int64) string { return contentsURL(restaurant) + "/seats" }

// ContentsCouponsURL lists the coupon campaigns. GET: contents.Coupons. POST: opens one, 303 to itself, 422 renders it
// again.
func ContentsCouponsURL(restaurant int64) string { return contentsURL(restaurant) + "/coupons" }

// ContentsEndCouponURL ends a campaign. POST: 303 to the list.
func ContentsEndCouponURL(restaurant, campaign int64) string {
	return ContentsCouponsURL(restaurant) + "/" + strconv.FormatInt(campaign, 10) + "/end"
}

func contentsURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/setup" }

// Fields of the forms of what is in a restaurant.
const (
	FieldVersion       = "version" // of the document that the form shows
	FieldMove          = "to"
	FieldNameKo        = "name_ko"
	FieldNameEn        = "name_en"
	FieldDescriptionKo = "description_ko"
	FieldDescriptionEn = "description_en"
	FieldCategory      = "category"
	FieldCategoryOwn   = "category_own" // instead of one of the list
	FieldPrice         = "price"
	FieldDaily         = "daily"
	FieldMinutes       = "minutes"
	FieldPicture       = "picture"
	FieldFile          = "file"
	FieldPhoto         = "photo" // a file for the gallery
	FieldRetired       = "retired"
	FieldServedFrom    = "served_from"
	FieldServedLast    = "served_last"
	FieldUse           = "use"
	FieldTotal         = "total"
	FieldOpens         = "opens"
	FieldCloses        = "closes"
	FieldValid         = "valid"
)

// Values of FieldAction of the buttons of pictures.
const (
	ActionUpload      = "upload"
	ActionAddPhoto    = "add"
	ActionRemovePhoto = "remove"
	ActionEarlier     = "earlier"
)
