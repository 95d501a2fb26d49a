/** Recognizes ids and times, which are as random as keys and stand behind the same names. */

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A time of ISO 8601, with the signs between its parts or without. */
const TIME = /^\d{4}-?\d\d-?\d\d[T ]\d\d:?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** True for a UUID, which programs use as an id, and some services as a secret. */
export const isUuid = (value: string): boolean => UUID.test(value);

/** True for a point in time. */
export const isTime = (value: string): boolean => TIME.test(value);
