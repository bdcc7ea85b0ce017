package seed

// DinersAtOnce is how many diners a statement makes or deletes.
const DinersAtOnce = dinersAtOnce
