import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf } from '../../kind/traits.ts';
import { nullIsValue } from '../section-entries.ts';
import { orExpression } from './expression.ts';
import { fieldSchema } from './field-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { metaSchemas } from './meta-schemas.ts';
import { sectionSchema } from './section-schema.ts';

/** One block of a kind: its fields, `$` keys and child sections, and what else may stand in its place. */
export function blockDefinition(kind: Kind, kinds: Kinds): JsonSchema {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).map(([name, schema]): [string, JsonSchema] => [
    name,
    name === kind.yaml.mapBy ? keyTwice(docOf(schema)) : fieldSchema(schema),
  ]);
  const block: JsonSchema = {
    title: kind.name,
    description: kind.doc,
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(children.map((child) => [child.section, sectionSchema(child)])),
      ...metaSchemas(kind, children),
    },
    ...requirements(kind, children),
  };
  const nullable = nullIsValue(kind) || (kind.yaml.mapBy !== undefined && requiredFields(kind).length === 0);
  return kind.yaml.shorthand
    ? { ...block, type: ['object', 'string', 'number', 'boolean', ...(nullable ? ['null'] : [])] }
    : orExpression('object', block, nullable);
}

/** The key of the map says it already, and what is written here must be the same. */
const keyTwice = (doc: string | undefined): JsonSchema => ({
  ...(doc === undefined ? {} : { description: doc }),
  doNotSuggest: true,
});

const requiredFields = ({ fields, yaml: { mapBy } }: Kind): string[] =>
  Object.keys(fields).filter((name) => name !== mapBy && !fields[name]!.safeParse(undefined).success);

/** What is only a place for others, or let go, needs no more than its key. */
function requirements(kind: Kind, children: readonly Kind[]): JsonSchema {
  const required = requiredFields(kind);
  const always = required.filter((name) => kind.key.includes(name));
  const otherwise = required.filter((name) => !kind.key.includes(name));
  const is = (key: string): JsonSchema => ({
    required: [key],
    properties: { [key]: { not: { const: false } } },
  });
  // Its own fields may stand in another file, where it has child sections only.
  const elsewhere: JsonSchema = {
    minProperties: 1,
    propertyNames: { enum: children.map(({ section }) => section) },
  };
  const partial = [is('$existing'), is('$forget'), ...(children.length > 0 ? [elsewhere] : [])];
  const whole: JsonSchema = { required: otherwise };
  return {
    ...(always.length > 0 ? { required: always } : {}),
    ...(otherwise.length > 0
      ? partial.reduceRight((inner, condition) => ({ if: condition, else: inner }), whole)
      : {}),
  };
}
