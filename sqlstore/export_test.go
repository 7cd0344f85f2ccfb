package sqlstore

// FillSearch is what migration 28 does.
var FillSearch = fillSearch
