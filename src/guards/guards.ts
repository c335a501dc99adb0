import * as z from 'zod';
import { fieldProblemsOfIssue } from '../config/fields/field-problems-of-issue.ts';
import { plainValueOf } from '../config/layers/layer.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import { describeNodeType, type MapNode, type Node } from '../config/yaml/nodes.ts';
import { parseYaml } from '../config/yaml/read-documents.ts';
import { positionOf, Source } from '../config/yaml/source.ts';
import { actions, fieldCauses, grades } from '../model/change.ts';
import { hasErrors, type Position, Reporter, raise, sortDiagnostics } from '../model/diagnostic.ts';
import { digest } from '../model/digest.ts';
import { compileGlob, globFault } from '../model/glob.ts';
import { globHint } from '../model/glob-syntax.ts';

/*
 * Parses the file of guards: the operator's rules about plans, which apply to every configuration. A file with any problem is refused,
 * because a rule with a typing error would guard nothing.
 *
 *   deny     refuses a plan with a change that meets all conditions of the rule
 *   limits   refuses a plan with a number above the limit: deletions, requests, changes that cost money, duration
 *   freeze   refuses to apply changes during a period
 */

/** Returns the schema for a value or a list of such values. */
const oneOrMoreOf = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)]);
const guardText = z.string().min(1);
const guardGlobs = oneOrMoreOf(guardText);
const stackGlobs = guardGlobs
  .optional()
  .describe('Only plans of these stacks (globs): `shop@production`, `*@production`.');
const guardLimit = z.int().min(0, 'a limit must be 0 or more').optional();
const guardTime = z.iso
  .datetime({
    offset: true,
    error: 'a time must look like 2026-12-20T18:00:00Z, or have +01:00 instead of Z',
  })
  .describe('Absolute: `2026-12-20T18:00:00Z`, or with an offset.');

/**
 * The actions that a guard can name. `takeover` is no action of a change: it means any change of an object
 * that another stack owned until now.
 */
const deniable = [...actions.filter((action) => action !== 'noop'), 'takeover'] as const;

/**
 * Returns the schema of a rule under `deny`, which refuses a plan with a change that meets all of its conditions.
 * With `kinds` (the names of all types of objects), other names are errors in the schema itself, which helps
 * editors.
 */
const denyRule = (kinds?: readonly string[]) =>
  z.strictObject({
    message: guardText.describe('Why, and whom to ask; shown when the rule applies.'),
    at: guardGlobs.optional().describe('Addresses, as for `--target`: `projects/*/firewall/**`.'),
    kind: oneOrMoreOf(kinds ? z.enum(kinds) : guardText)
      .optional()
      .describe('Kinds, as named by `trueup kinds`.'),
    action: oneOrMoreOf(z.enum(deniable))
      .optional()
      .describe(
        '`delete` includes replacements, contents deleted with their container, and objects that move to another container; `takeover` is any change of an object that another stack owned until now (`$from`).',
      ),
    field: guardGlobs.optional().describe('A changed field, by its dotted path or that of a parent.'),
    grade: oneOrMoreOf(z.enum(grades)).optional(),
    cause: oneOrMoreOf(z.enum(fieldCauses))
      .optional()
      .describe('Why a field differs; with `field`, why that one does.'),
    run: guardGlobs
      .optional()
      .describe(
        'Only actions, as named by `trueup run --list` (globs): `promote`, `*Rollout`. Without this, an action from `trueup run` or `$then` counts as an update of its target.',
      ),
    finding: guardGlobs
      .optional()
      .describe(
        'A finding that the change causes, by its code (globs): `dns/takeover`, `firewall/*`. Also one that `findings:` of the configuration turns off.',
      ),
    stack: stackGlobs,
  });

const limitRules = z.strictObject({
  deletions: guardLimit.describe('How many objects may be deleted, including their contents.'),
  requests: guardLimit.describe('How many requests a plan may send.'),
  cost: guardLimit.describe('How many changes that cost money a plan may have.'),
  duration: z
    .string({ error: 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`' })
    .regex(/^[1-9]\d*(s|m|h)$/, 'a duration must be a number with `s`, `m` or `h`: `90s`, `10m`')
    .optional()
    .describe('How long a plan may take, by the forecast: `90s`, `10m`, `2h`.'),
});

const freezeRule = z.strictObject({
  from: guardTime,
  until: guardTime,
  message: guardText.describe('Why; shown when the rule applies.'),
  at: guardGlobs.optional().describe('Only changes to these addresses.'),
  stack: stackGlobs,
});

/**
 * Returns the schema of a file of guards (the operator's rules for plans). With `kinds` (the names of all types of
 * objects), other names are errors in the schema itself, which helps editors.
 */
const guardsSchemaWith = (kinds?: readonly string[]) =>
  z.strictObject({
    deny: z.array(denyRule(kinds)).optional().describe('A plan with a matching change is rejected.'),
    limits: limitRules.optional().describe('A plan that exceeds one of these is rejected.'),
    freeze: z.array(freezeRule).optional().describe('Periods during which nothing is applied.'),
  });

/**
 * Returns the JSON Schema of a file of guards, which editors use for completion and checks. `kinds`: the names of all
 * kinds.
 */
export const guardsSchema = (kinds: readonly string[]): object => ({
  title: 'trueup guards',
  ...z.toJSONSchema(guardsSchemaWith(kinds)),
});

/** The content of a file of guards, as its schema reads it. */
type GuardsFile = z.infer<ReturnType<typeof guardsSchemaWith>>;
/** A rule with its position in the file, for problems that refer to it. */
type Located<T> = T & { place: Position };

/** The operator's rules about plans. They apply independently of the configuration. */
export interface Guards {
  /** The path of the file as the operator named it. */
  file: string;
  /** The digest of the file's text. */
  digest: string;
  deny: Located<NonNullable<GuardsFile['deny']>[number]>[];
  limits: Partial<Record<keyof NonNullable<GuardsFile['limits']>, Located<{ most: number }>>>;
  freeze: Located<NonNullable<GuardsFile['freeze']>[number]>[];
}

/** The names that rules can use. Actions and codes of findings are listed only if a rule has some. */
export interface KnownNames {
  /** All types of objects. */
  kinds: readonly string[];
  listActions(): Promise<readonly string[]>;
  listFindings(): Promise<readonly string[]>;
}

/** Returns a member that is one value or a list of values as a list; undefined if the member is absent. */
export const asList = <T>(value: T | T[] | undefined): T[] | undefined =>
  value === undefined ? undefined : ([value].flat() as T[]);

/** Returns a duration such as `90s`, `10m` or `2h` in seconds. */
const durationSecondsOf = (duration: string): number =>
  Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1) as 's' | 'm' | 'h'];

/**
 * Parses the text of a file of guards (the operator's rules for plans). Throws `Problems` if anything in it
 * is wrong: a rule with a typing error would guard nothing. `file`: its name in messages.
 */
export async function parseGuards(
  file: string,
  text: string,
  { kinds, listActions, listFindings }: KnownNames,
): Promise<Guards> {
  const source = new Source(file, text);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, secondDocument] = documents;
  const report = new Reporter(diagnostics);
  if (secondDocument)
    report.error('guards/file', 'a guards file can have only one document', { at: secondDocument });
  if (!hasErrors(diagnostics) && root?.type !== 'map')
    report.error(
      'guards/file',
      `${file} contains no guards: it is ${root ? describeNodeType(root) : 'empty'}`,
      {
        hint: 'deny: [{ at: "projects/*/firewall/**", action: delete, message: Ask the security team. }]',
      },
    );
  const guards = root?.type === 'map' && !hasErrors(diagnostics) ? readRules(root, kinds, report) : undefined;
  await checkNames(guards?.deny ?? [], { listActions, listFindings }, report);
  // The messages show the lines that they are about.
  source.quote();
  if (!guards || hasErrors(diagnostics)) raise(sortDiagnostics(diagnostics));
  return { file, digest: digest('guards', text), ...guards };
}

/**
 * Reports names of actions (`run` in a rule) and codes of findings (`finding`) that match nothing, because such a rule would never refuse a
 * plan. The names are only listed if a rule has some, because listing them loads their files.
 */
async function checkNames(
  rules: Guards['deny'],
  { listActions, listFindings }: Pick<KnownNames, 'listActions' | 'listFindings'>,
  report: Reporter,
): Promise<void> {
  const members = [
    { member: 'run', noun: 'action', list: listActions, allHint: '`trueup run --list` lists all' },
    { member: 'finding', noun: 'finding', list: listFindings, allHint: '`trueup explain` lists all codes' },
  ] as const;
  for (const { member, noun, list, allHint } of members) {
    const globs = rules.flatMap((rule) =>
      (asList(rule[member]) ?? []).map((glob) => ({ glob, place: rule.place })),
    );
    // `checkRules` has reported the others.
    const validGlobs = globs.filter(({ glob }) => globFault(glob) === undefined);
    const names = validGlobs.length > 0 ? await list() : [];
    for (const { glob, place } of validGlobs)
      if (!names.some(compileGlob(glob, { hasParts: false }).matches))
        report.error('guards/file', `there is no ${noun} ${quoted(glob)}`, {
          at: place,
          hint: hintFor(glob, names) ?? allHint,
        });
  }
}

/**
 * Reads the rules of a parsed guards file and adds to each its position in the file, for messages. Reports
 * the problems that the schema finds or, if it finds none, those of the rules. Returns undefined if the file
 * does not fit the schema.
 */
function readRules(
  root: MapNode,
  kinds: readonly string[],
  report: Reporter,
): Omit<Guards, 'file' | 'digest'> | undefined {
  const schema = guardsSchemaWith();
  const raw = plainValueOf(root) as Record<string, unknown>;
  const result = schema.safeParse(raw);
  for (const issue of result.error?.issues ?? []) reportSchemaIssue(issue, { schema, raw, root, report });
  if (!result.success) return undefined;
  const { deny = [], limits = {}, freeze = [] } = result.data;
  checkRules({ deny, freeze }, { kinds, root, report });
  const locate = <T>(rule: T, path: (string | number)[]) => ({
    ...rule,
    place: positionAt(root, path),
  });
  return {
    deny: deny.map((rule, index) => locate(rule, ['deny', index])),
    limits: Object.fromEntries(
      Object.entries(limits).map(([name, most]) => [
        name,
        locate({ most: typeof most === 'string' ? durationSecondsOf(most) : most }, ['limits', name]),
      ]),
    ),
    freeze: freeze.map((rule, index) => locate(rule, ['freeze', index])),
  };
}

/** The file of guards and the reporter of its problems. */
interface RulesContext {
  root: MapNode;
  report: Reporter;
}

/**
 * Reports one issue that the schema check (zod) found in a guards file, at its position there, with the messages of `fieldProblemsOfIssue`.
 * An issue about several unknown keys gives one report for each. `raw`: the content of the file.
 */
function reportSchemaIssue(
  issue: z.core.$ZodIssue,
  {
    schema,
    raw,
    root,
    report,
  }: RulesContext & { schema: ReturnType<typeof guardsSchemaWith>; raw: Record<string, unknown> },
): void {
  const [name, ...pathInMember] = issue.path;
  if (issue.code === 'unrecognized_keys' && name === undefined) {
    for (const key of issue.keys)
      report.error('guards/file', `a guards file has no ${quoted(key)}`, {
        at: positionAt(root, [key], { onKey: true }),
        hint: hintFor(key, Object.keys(schema.shape)),
      });
    return;
  }
  const subject = { name: String(name), schema: schema.shape[name as 'deny'], raw: raw[String(name)] };
  // Judged like an issue of a field: the path begins inside the member `deny`, `limits` or `freeze`.
  const issueInMember = { ...issue, path: pathInMember } as typeof issue;
  for (const fieldProblem of fieldProblemsOfIssue(issueInMember, subject))
    report.error('guards/file', fieldProblem.message, {
      at: positionAt(root, fieldProblem.path, { onKey: fieldProblem.onKey }),
      hint: fieldProblem.hint,
    });
}

/**
 * Reports what the schema cannot find in the rules of a guards file, because such a rule would guard nothing, or
 * everything: no conditions, unknown kinds, invalid globs, and periods that end before they start.
 */
function checkRules(
  { deny, freeze }: Required<Pick<GuardsFile, 'deny' | 'freeze'>>,
  { kinds, root, report }: RulesContext & { kinds: readonly string[] },
): void {
  const reportAt: ReportAt = (path, message, hint) =>
    report.error('guards/file', message, { at: positionAt(root, path), hint });
  for (const [index, rule] of deny.entries()) checkConditions(rule, index, kinds, reportAt);
  for (const [index, rule] of deny.entries()) checkGlobs(rule, ['deny', index], reportAt);
  for (const [index, rule] of freeze.entries()) checkGlobs(rule, ['freeze', index], reportAt);
  for (const [index, { from, until }] of freeze.entries())
    if (Date.parse(from) >= Date.parse(until))
      reportAt(['freeze', index, 'until'], 'this ends before it starts');
}

/** Reports a problem with the value at a path of the guards file. */
type ReportAt = (path: (string | number)[], message: string, hint?: string) => void;

type DenyRule = NonNullable<GuardsFile['deny']>[number];

/** Reports if a rule under `deny` has no conditions, and the kinds in it that do not exist. */
function checkConditions(
  { message: _, stack: __, ...conditions }: DenyRule,
  index: number,
  kinds: readonly string[],
  reportAt: ReportAt,
): void {
  if (Object.keys(conditions).length === 0)
    reportAt(
      ['deny', index],
      'this rule has no conditions',
      'add one of `at`, `kind`, `action`, `run`, `field`, `grade`, `cause` or `finding`; `at: "**"` matches everything',
    );
  for (const kind of asList(conditions.kind) ?? [])
    if (!kinds.includes(kind))
      reportAt(['deny', index, 'kind'], `there is no kind ${quoted(kind)}`, hintFor(kind, kinds));
}

/** Reports the invalid globs of a rule. `path`: the place of the rule in the file. */
function checkGlobs(
  rule: Pick<DenyRule, 'at' | 'field' | 'run' | 'finding' | 'stack'>,
  path: (string | number)[],
  reportAt: ReportAt,
): void {
  for (const name of ['at', 'field', 'run', 'finding', 'stack'] as const)
    for (const glob of asList(rule[name]) ?? []) {
      const fault = globFault(glob);
      if (fault !== undefined) reportAt([...path, name], fault, globHint);
    }
}

/**
 * Returns the position in a YAML file of the value at a path such as `['deny', 0, 'kind']`, for a message. If there
 * is no such value, because a required member is missing, returns the position of the innermost value on the way to
 * it. With `onKey`, returns the position of its key.
 */
function positionAt(root: Node, path: (string | number)[], { onKey = false } = {}): Position {
  let [node, location] = [root, root.at];
  for (const [depth, step] of path.entries()) {
    if (node.type === 'list' && node.items[Number(step)]) {
      node = node.items[Number(step)]!;
      location = node.at;
    } else if (node.type === 'map') {
      const entry = node.entries.find(({ key }) => key.text === String(step));
      if (!entry) break;
      node = entry.value;
      location = onKey && depth === path.length - 1 ? entry.key.at : node.at;
    } else break;
  }
  return positionOf(location);
}
