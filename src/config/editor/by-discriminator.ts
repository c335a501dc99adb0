import { anExpression, orExpression } from './expression.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * Objects that one member tells apart, as conditions on that member; undefined where no member does. An editor then checks one
 * of them in place of all, and says what is wrong with that one.
 */
export function byDiscriminator(
  options: JsonSchema[],
  read: (option: JsonSchema) => JsonSchema,
  nullable: boolean,
): JsonSchema | undefined {
  const name = Object.keys(options[0]?.properties ?? {}).find((member) => tellsApart(member, options));
  if (name === undefined) return undefined;
  const valuesOf = (option: JsonSchema) => valuesIn(option.properties![name]);
  const allOf = options.map((option) => ({
    if: { properties: { [name]: { enum: valuesOf(option) } }, required: [name] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: read(option),
  }));
  const { description } = options[0]!.properties![name]!;
  const member = {
    ...(description ? { description } : {}),
    anyOf: [{ enum: options.flatMap(valuesOf) }, anExpression],
  };
  return orExpression('object', { required: [name], properties: { [name]: member }, allOf }, nullable);
}

function tellsApart(name: string, options: JsonSchema[]): boolean {
  const all = options.map((option) =>
    option.type === 'object' && option.required?.includes(name) ? valuesIn(option.properties?.[name]) : [],
  );
  const values = all.flat();
  return all.every((one) => one.length > 0) && new Set(values).size === values.length;
}

const valuesIn = (member: JsonSchema | undefined): unknown[] =>
  member?.enum ?? (member?.const === undefined ? [] : [member.const]);
