import { asksForWrite, type Change, type Fields, isPlainObject, type Value } from '#kind';

/**
 * Returns the test if a change switches on the setting at this path: it was off or absent, and is on afterwards. Used to ask for
 * permission if the setting costs money, so a setting that is already on does not count.
 */
export const isSwitchedOn =
  (...path: string[]) =>
  ({ action, before, after, fields }: Change): boolean => {
    const isWritten =
      action === 'create' ||
      action === 'replace' ||
      fields.some((field) => asksForWrite(field) && isPart(field.path.split('.'), path));
    return isWritten && !isOff(valueAt(after?.fields, path)) && isOff(valueAt(before?.fields, path));
  };

/** A value that is not known yet may be true. */
const isOff = (value: Value | undefined): boolean => value === undefined || value === null || value === false;

const isPart = (path: string[], changedPath: string[]): boolean =>
  path.every((name, index) => index >= changedPath.length || changedPath[index] === name);

/** Returns the value at a path of a resource's fields; undefined if there is none. */
const valueAt = (fields: Fields | undefined, path: string[]): Value | undefined =>
  path.reduce<Value | undefined>(
    (value, name) => (isPlainObject(value) ? (value as Fields)[name] : undefined),
    fields,
  );
