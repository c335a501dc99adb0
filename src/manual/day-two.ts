import type { Action } from '../kind/action.ts';
import type { FieldSchemas } from '../kind/kind.ts';
import type { End, Lookup } from '../kind/lookup.ts';
import { docOf, traitsOf } from '../kind/traits.ts';
import { groupBy } from '../model/graph.ts';
import type { Style } from '../report/style.ts';
import { capitalized } from '../report/text.ts';
import { formatLabelledRows, indented, sectionsText, widthOf } from './columns.ts';
import { typeWords } from './type-words.ts';

/** An input of an action or a lookup, or a field of its answer, as the manual shows it. */
export interface FieldSummary {
  name: string;
  type: string;
  doc: string;
  /** Set if the input is required. */
  needed?: true;
  /** Set if the value is never shown. */
  secret?: true;
}

/** The common members of actions and lookups. */
interface ActionOrLookupSummary {
  name: string;
  area: string;
  doc: string;
  /** The kind of the object that it is about. */
  on?: string;
  request: string;
  input: FieldSummary[];
  output: FieldSummary[];
}

/** An action, as its manual page shows it. */
export interface ActionSummary extends ActionOrLookupSummary {
  grade: Action['grade'];
  why?: string;
  cost?: string;
  repeatable: boolean;
  declarable: boolean;
  /** The lookup that `--wait` repeats until the action has ended. */
  waits?: string;
  /** The secret member of the response, which `--secret-to` writes somewhere. */
  shows?: string;
}

/** A lookup, as its manual page shows it. */
export interface LookupSummary extends ActionOrLookupSummary {
  isList: boolean;
  key?: string;
  moves: string[];
  end?: End;
}

/** Returns the members of an object with these names, without undefined ones. */
const pickSet = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(
    names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])),
  ) as Pick<T, K>;

/**
 * Returns what a manual page shows about the inputs or the output fields of an action (a one-off operation) or a lookup (a query). Only
 * inputs can be required, and only their types say that a text must not be empty.
 * @param options.isInput true for inputs
 */
const fieldSummariesOf = (schemas: FieldSchemas, { isInput }: { isInput: boolean }): FieldSummary[] =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    type: isInput ? typeWords(schema) : typeWords(schema).replace(', not empty', ''),
    doc: docOf(schema) ?? '',
    needed: (isInput && !schema.safeParse(undefined).success) || undefined,
    secret: traitsOf(schema).secret === true || undefined,
  }));

/**
 * Returns the facts that the lists and manual pages of actions (one-off operations) and lookups (queries) have in
 * common: name, area, documentation, the kind that it is about, request, inputs and outputs.
 */
const summarizeActionOrLookup = (operation: Action | Lookup): ActionOrLookupSummary => ({
  ...pickSet(operation, ['name', 'area', 'doc', 'on']),
  request: operation.endpoint,
  input: fieldSummariesOf(operation.input, { isInput: true }),
  output: fieldSummariesOf(operation.output, { isInput: false }),
});

/**
 * Returns the facts about all actions (one-off operations such as `promote`) for `trueup run --list` and their
 * manual pages, in the order of their declaration.
 */
export const actionList = (actions: ReadonlyMap<string, Action>): ActionSummary[] =>
  [...actions.values()].map((action) => ({
    ...summarizeActionOrLookup(action),
    ...pickSet(action, ['grade', 'why', 'cost', 'shows']),
    repeatable: action.repeatable === true,
    declarable: action.declarable === true,
    waits: action.until?.lookup,
  }));

/**
 * Returns the facts about all lookups (queries such as the deployments of a project) for `trueup get --list` and their manual pages, in the
 * order of their declaration: the field that a NAME selects by (`key`), the states that end a wait (`end`), and who can change the result
 * without a change of the configuration (`moves`).
 */
export const lookupList = (lookups: ReadonlyMap<string, Lookup>): LookupSummary[] =>
  [...lookups.values()].map((lookup) => ({
    ...summarizeActionOrLookup(lookup),
    ...pickSet(lookup, ['key', 'end']),
    isList: lookup.items !== undefined,
    moves: [...(lookup.moves ?? [])],
  }));

/**
 * Describes the risks, costs and uses of an action in sentences, for the section BEHAVIOUR of its manual page, so
 * that people know them before they run it.
 */
export function actionFacts(actionSummary: ActionSummary): string[] {
  const { name, on, grade, why, cost, waits, shows, repeatable, declarable } = actionSummary;
  const needsConfirmation = cost !== undefined || grade === 'irreversible';
  return sentences([
    grade === 'safe' ? 'Safe.' : `${capitalized(grade)}: ${why}.`,
    cost && `Costs money: ${cost}.`,
    needsConfirmation &&
      `Asks you to type ${on === undefined ? 'its name' : 'the address'} again, or takes it with \`--confirm\`.`,
    waits && `\`--wait\` follows it with the lookup ${waits} until it ends.`,
    shows &&
      `The response contains the secret \`${shows}\`, which the platform shows only once. Say with \`--secret-to\` where to write it.`,
    repeatable ? 'It is idempotent.' : 'It is not idempotent: if you run it twice, it happens twice.',
    declarable
      ? `It can be used in a configuration: \`$then: [${name}]\`.`
      : 'It can only be run by hand, not from a configuration.',
  ]);
}

/** An end with this many failed states or more is described without them. */
const maxNamedStates = 20;

/**
 * Describes the result of a lookup (a query, such as the deployments of a project) in sentences, for the section BEHAVIOUR of its manual
 * page: a list or one object, who can change it without a change of the configuration (`moves`), and when `trueup wait` for it ends.
 */
export function lookupFacts({ isList, key, moves, end }: LookupSummary): string[] {
  // Long lists of failed states are left out.
  const namesFailures = end && end.ended.length > 0 && end.ended.length < maxNamedStates;
  return sentences([
    isList ? `A list${key === undefined ? '' : `. A NAME selects by \`${key}\``}.` : 'One object.',
    moves.length > 0 &&
      `Its result also changes with ${moves.join(', ')}. Under \`lookups:\` you can use it in the input of actions, but not in fields.`,
    end &&
      `\`trueup wait\` ends once \`${end.field}\` is ${end.reached.join(' or ')}${namesFailures ? `; it exits with 1 at ${end.ended.join(', ')}` : ''}.`,
  ]);
}

const sentences = (facts: (string | false | undefined)[]): string[] =>
  facts.filter((fact) => !!fact) as string[];

type CommandSummary = ActionSummary | LookupSummary;

/**
 * Formats the list of all actions (one-off operations) or lookups (queries) for `trueup run --list` or `trueup get --list`: a line for
 * each, grouped under its area of the platform.
 */
export function formatActionsOrLookups(list: readonly CommandSummary[], style: Style): string {
  const blocks = [...groupBy(list, ({ area }) => area)].map(([area, members]) =>
    [
      style.strong(area),
      ...formatLabelledRows(
        members.map((entry) => ({
          label: `  ${entry.name}`,
          paint: style.strong,
          cells: [{ text: entry.doc }, { text: describeInputNames(entry), paint: style.quiet }],
        })),
        widthOf(style),
      ),
    ].join('\n'),
  );
  return blocks.join('\n\n');
}

/**
 * Lists the target and the inputs of an action (a one-off operation) or a lookup (a query) on one line, for the list of all: `target:
 * project; input: from, [limit]`. Optional inputs are in brackets.
 */
function describeInputNames({ on, input }: CommandSummary): string {
  const names = input.map(({ name, needed }) => (needed ? name : `[${name}]`)).join(', ');
  return [...(on === undefined ? [] : [`target: ${on}`]), ...(names === '' ? [] : [`input: ${names}`])].join(
    '; ',
  );
}

/**
 * Formats the manual page of an action (a one-off operation) or a lookup (a query) for `trueup run NAME --list` or `trueup get NAME
 * --list`, in sections like those of a man page. Empty sections are left out.
 */
export function formatActionOrLookup(entry: CommandSummary, style: Style): string {
  const width = widthOf(style);
  const facts = 'grade' in entry ? actionFacts(entry) : lookupFacts(entry);
  const about = entry.on === undefined ? ['the account'] : [`a ${entry.on}`];
  const parts: [string, string[]][] = [
    ['NAME', [`  ${style.strong(entry.name)}`, ...indented(entry.doc, width)]],
    ['TARGET', about.flatMap((text) => indented(text, width))],
    ['INPUT', fieldTableLines(entry.input, style)],
    ['OUTPUT', fieldTableLines(entry.output, style)],
    ['BEHAVIOUR', facts.flatMap((text) => indented(text, width))],
    ['REQUEST', [`  ${entry.request}`]],
  ];
  return sectionsText(parts, style);
}

/**
 * Formats the inputs or outputs of an action (a one-off operation) or a lookup (a query) as lines of a table for its manual page: name,
 * type and documentation.
 */
const fieldTableLines = (fields: readonly FieldSummary[], style: Style): string[] =>
  formatLabelledRows(
    fields.map(({ name, type, doc, needed, secret }) => ({
      label: `  ${name}`,
      paint: style.strong,
      cells: [
        { text: [type, ...(needed ? ['required'] : []), ...(secret ? ['secret'] : [])].join('; ') },
        { text: doc },
      ],
    })),
    widthOf(style),
  );
