import type { Fields } from '#kind';

/**
 * Returns the warning that the platform probably refuses something. Only the code of the platform's Terraform provider shows these
 * refusals.
 */
export const refusalWarning = (path: string[], refused: string, hint: string) => ({
  path,
  hint,
  severity: 'warning' as const,
  message: `the platform probably refuses ${refused}`,
});

/**
 * Warns of fields that an object of its type needs and lacks, and of those that only another type has. `fieldsByType`: the fields that each
 * type needs, and no other has. `noun`: what the object is, for the messages. An unknown type gets no warning.
 */
export function warnOfOtherTypes(fields: Fields, fieldsByType: Record<string, string[]>, noun: string) {
  const fieldsOfType = new Map(Object.entries(fieldsByType)).get(fields.type as string);
  if (fieldsOfType === undefined) return [];
  const object = `a ${fields.type} ${noun}`;
  const isDeclared = (name: string) => fields[name] !== undefined;
  const ofOtherTypes = Object.values(fieldsByType)
    .flat()
    .filter((name) => !fieldsOfType.includes(name));
  return [
    ...fieldsOfType
      .filter((name) => !isDeclared(name))
      .map((name) => refusalWarning([], `${object} without \`${name}\``, 'add it')),
    ...ofOtherTypes
      .filter(isDeclared)
      .map((name) => refusalWarning([name], `\`${name}\` in ${object}`, 'remove it')),
  ];
}
