import { asksForWrite, type Change, type Fields, isPlainObject, type Value } from '#kind';

/**
 * True if a change switches something on that was off, or was not there: the value at this path becomes true. What is on already, by
 * whomever, is not switched on.
 */
export const isSwitchedOn =
  (...path: string[]) =>
  ({ action, before, after, fields }: Change): boolean => {
    const isWritten =
      action === 'create' ||
      action === 'replace' ||
      fields.some((field) => asksForWrite(field) && isPart(field.path.split('.'), path));
    return isWritten && !isOff(at(after?.fields, path)) && isOff(at(before?.fields, path));
  };

/** A value that is not known yet may be true. */
const isOff = (value: Value | undefined): boolean => value === undefined || value === null || value === false;

const isPart = (one: string[], other: string[]): boolean =>
  one.every((name, index) => index >= other.length || other[index] === name);

const at = (fields: Fields | undefined, path: string[]): Value | undefined =>
  path.reduce<Value | undefined>(
    (value, name) => (isPlainObject(value) ? (value as Fields)[name] : undefined),
    fields,
  );
