package sqlstore

// RefillSearch is what migration 40 does, after what 28 does.
var RefillSearch = refillSearch

// FillWallets is what migration 42 does.
var FillWallets = fillWallets
