import type { Action } from '../kind/action.ts';
import type { FieldSchemas } from '../kind/kind.ts';
import type { End, Lookup } from '../kind/lookup.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { typeWords } from './type-words.ts';

/** One input, or one field of an answer. */
export interface FieldSummary {
  name: string;
  type: string;
  doc: string;
  /** The input is required. */
  needed?: true;
  /** It is never shown. */
  secret?: true;
}

/** The common members of actions and lookups. */
interface Summary {
  name: string;
  area: string;
  doc: string;
  /** The kind of the object that it is about. */
  on?: string;
  request: string;
  input: FieldSummary[];
  output: FieldSummary[];
}

/** An action, as its page tells it. */
export interface ActionSummary extends Summary {
  grade: Action['grade'];
  why?: string;
  cost?: string;
  repeatable: boolean;
  declarable: boolean;
  /** The lookup by which `--wait` knows that it is over. */
  waits?: string;
  /** The member of the answer that goes where `--secret-to` says. */
  shows?: string;
}

/** A lookup, as its page tells it. */
export interface LookupSummary extends Summary {
  isList: boolean;
  key?: string;
  moves: string[];
  end?: End;
}

const given = <T extends object, K extends keyof T>(of: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]]]))) as Pick<
    T,
    K
  >;

const fieldsOf = (schemas: FieldSchemas, isInput: boolean): FieldSummary[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    // What is told is what there is.
    type: isInput ? typeWords(schema) : typeWords(schema).replace(', not empty', ''),
    doc: docOf(schema) ?? '',
    ...(isInput && !schema.safeParse(undefined).success ? { needed: true } : {}),
    ...(traitsOf(schema).secret === true ? { secret: true } : {}),
  }));

const summaryOf = (one: Action | Lookup): Summary => ({
  ...given(one, ['name', 'area', 'doc', 'on']),
  request: one.endpoint,
  input: fieldsOf(one.input, true),
  output: fieldsOf(one.output, false),
});

/** All actions, in the order of the manual. */
export const actionList = (actions: ReadonlyMap<string, Action>): ActionSummary[] =>
  [...actions.values()].map((action) => ({
    ...summaryOf(action),
    ...given(action, ['grade', 'why', 'cost', 'shows']),
    repeatable: action.repeatable === true,
    declarable: action.declarable === true,
    ...(action.until ? { waits: action.until.lookup } : {}),
  }));

/** All lookups, in the order of the manual. */
export const lookupList = (lookups: ReadonlyMap<string, Lookup>): LookupSummary[] =>
  [...lookups.values()].map((lookup) => ({
    ...summaryOf(lookup),
    ...given(lookup, ['key', 'end']),
    isList: lookup.items !== undefined,
    moves: [...(lookup.moves ?? [])],
  }));

/** The side effects of an action, in sentences. */
export function actionFacts(one: ActionSummary): string[] {
  const { name, on, grade, why, cost, waits, shows, repeatable, declarable } = one;
  return [
    ...(grade === 'safe' ? ['Safe.'] : [`${capital(grade)}: ${why}.`]),
    ...(cost === undefined ? [] : [`Costs money: ${cost}.`]),
    ...(cost !== undefined || grade === 'irreversible'
      ? [`Takes ${on === undefined ? 'its name' : 'its address'} once more, or \`--confirm\`.`]
      : []),
    ...(waits === undefined ? [] : [`\`--wait\` waits for it with the lookup ${waits}.`]),
    ...(shows === undefined
      ? []
      : [
          `The answer's \`${shows}\` is a secret that is shown only once: \`--secret-to\` says where to write it.`,
        ]),
    repeatable ? 'It is idempotent.' : 'It is not idempotent: running it twice does it twice.',
    declarable
      ? `It can be used in a configuration: \`$then: [${name}]\`.`
      : 'It can only be run by hand, not from a configuration.',
  ];
}

/** The same of a lookup. */
export function lookupFacts({ isList, key, moves, end }: LookupSummary): string[] {
  const by = { actions: 'actions', pushes: 'pushes', visitors: 'visitors' } as Record<string, string>;
  return [
    isList ? `A list${key === undefined ? '' : `; a NAME is its \`${key}\``}.` : 'One object.',
    ...(moves.length > 0
      ? [
          `Moved by ${moves.map((one) => by[one] ?? one).join(', ')}, too: under \`lookups:\` it can be used in the input of actions, not in fields.`,
        ]
      : []),
    ...(end
      ? [
          `\`trueup wait\` ends once \`${end.field}\` is ${end.reached.join(' or ')}${end.ended.length > 0 && end.ended.length < 20 ? `, and with 1 at ${end.ended.join(', ')}` : ''}.`,
        ]
      : []),
  ];
}

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;
