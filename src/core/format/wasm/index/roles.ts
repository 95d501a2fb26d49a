/** The roles of rows, as the caller numbers them. */
import { NONE, Role } from '../../scanner/scannerLayout';
import { createBytes } from '../memory/memory';
import { intAt } from '../memory/integers';
import { profileOf } from '../rows/rows';

/** Input of the caller, by profile: the number of its role. */
export const roles = createBytes(0);

export function roleOf(row: i32): i32 {
  return intAt(roles, intAt(profileOf, row));
}

export function isUser(row: i32): bool {
  return intAt(profileOf, row) != NONE && roleOf(row) == Role.user;
}
