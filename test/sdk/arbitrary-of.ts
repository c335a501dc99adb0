import fc from 'fast-check';
import * as z from 'zod/v3';
import { codePoint, grapheme } from '../support/characters.ts';

/** By a member's name, or by its whole path with dots, `[]` for any item and `*` for any entry of a map, whose keys are at `{}`: what its text must be like. */
export type Hints = Record<string, fc.Arbitrary<unknown>>;

type Type = z.ZodTypeAny;
// biome-ignore lint/suspicious/noExplicitAny: the definitions of zod 3 differ by type name
type Definition = any;

// What a file in YAML, or an expression in it, could misread.
const odd =
  '\0two\nlines\0two\nlines\n\n\0\n\0a\r\nb\0a\tb\0 x\0x \0- a\0---\0null\0true\0~\x01e3\x00x1f\0a: b\0a #b\0"\0\'\0|\0> a\0!a\0&a\0*a\0[\0{}\0%\0${\0$${\0${var.x}\0${secret.x}\0\\n\0ä\0e\u0301\0😀\0\u202ea\0\u200b\0\ufeffa\0\u2028\0\u0085\0\u0007'.split(
    '\0',
  );

/** Text as people write it, and as they do not: empty, long, of any script, with control characters, or what looks like syntax. */
export const anyText = fc.oneof(
  fc.constantFrom('one', 'two', 'a-b_c', 'https://x.example.com', '100 %'),
  fc.constantFrom(...odd, '\0'),
  fc.string({ maxLength: 8, unit: grapheme }),
  fc.string({ maxLength: 8, unit: codePoint }),
  fc.string({ minLength: 150, maxLength: 250, unit: 'grapheme-ascii' }),
);

/** The same as a name: of some length, and something to see. */
export const anyName = anyText.map((one) => one.slice(0, 100)).filter((one) => /[\p{L}\p{N}]/u.test(one));

/**
 * Random values that a schema of the public SDK takes. What a schema does not say (the form of a text, what fits together)
 * comes from the hints, by the member's path.
 */
export function arbitraryOf(schema: Type, hints: Hints, path = ''): fc.Arbitrary<unknown> {
  const hint = hints[path] ?? hints[path.split('.').at(-1)!];
  const def: Definition = schema._def;
  const inner = (type: Type, at = path) => arbitraryOf(type, hints, at);
  switch (def.typeName as string) {
    case 'ZodOptional':
      return fc.option(inner(def.innerType), { nil: undefined, freq: 2 });
    case 'ZodDefault':
      return inner(def.innerType);
    case 'ZodNullable':
      return fc.option(inner(def.innerType), { nil: null, freq: 4 });
    case 'ZodLazy':
      return inner(def.getter());
  }
  if (hint) return hint;
  switch (def.typeName as string) {
    case 'ZodObject': {
      const shape = Object.entries((schema as z.ZodObject<z.ZodRawShape>).shape);
      const members = shape.map(
        ([name, type]) => [name, inner(type, path ? `${path}.${name}` : name)] as const,
      );
      return fc.record(Object.fromEntries(members)).map(withoutUndefined);
    }
    case 'ZodArray':
      return fc.array(inner(def.type, `${path}[]`), { minLength: 1, maxLength: 3 });
    case 'ZodRecord': {
      const keys = (hints[`${path}{}`] ?? fc.constantFrom('a', 'b', 'c-d')) as fc.Arbitrary<string>;
      return fc.dictionary(keys, inner(def.valueType, `${path}.*`), { minKeys: 1, maxKeys: 3 });
    }
    case 'ZodUnion':
      return fc.oneof(...(def.options as Type[]).map((option) => inner(option)));
    case 'ZodIntersection':
      return fc.tuple(inner(def.left), inner(def.right)).map(([a, b]) => Object.assign({}, a, b));
    case 'ZodNativeEnum':
      return fc.constantFrom(...Object.values(def.values));
    case 'ZodLiteral':
      return fc.constant(def.value);
    case 'ZodEffects': {
      const options = optionsOf(def);
      return options.length > 0 ? fc.oneof(...options.map((option) => inner(option))) : inner(def.schema);
    }
    case 'ZodString':
      return anyText;
    case 'ZodBoolean':
      return fc.boolean();
    case 'ZodNumber':
      return fc.integer({ min: 1, max: 1000 });
    case 'ZodAny':
    case 'ZodUnknown':
      return fc.jsonValue({ maxDepth: 2 });
  }
  throw new Error(`no values for ${def.typeName} at ${path}`);
}

/** Members that are undefined are not there. */
function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

/** A union of the SDK keeps its options to itself; they show when it tries them. */
function optionsOf(def: Definition): Type[] {
  if (def.effect?.type !== 'transform' || def.schema._def.typeName !== 'ZodUnknown') return [];
  const prototype = z.ZodType.prototype;
  const parse = prototype._parseSync;
  const options: Type[] = [];
  prototype._parseSync = function (this: Type) {
    options.push(this);
    return z.OK(undefined);
  };
  try {
    def.effect.transform(undefined, { addIssue: () => {}, path: [] });
  } finally {
    prototype._parseSync = parse;
  }
  return options;
}
