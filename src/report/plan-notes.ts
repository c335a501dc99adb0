import type { Change, FieldCause } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { listFew } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget, countLogicalChanges, groupLogicalChanges } from '../model/logical-changes.ts';
import { asksForNothing, type DriftSource, type Plan, type PlanSource } from '../model/plan.ts';
import type { Permission } from '../model/resource.ts';
import { followingCounts, heldCount } from './action-texts.ts';
import { cleanLine } from './clean.ts';
import { count, listed } from './count.ts';
import { cutCounted } from './cut.ts';
import { listingDiagnostic, notComparedDiagnostics, reportedDiagnostics } from './not-compared-text.ts';
import { secretNames } from './show.ts';

/** Whose account it is, and where: `team acme`, `team acme at http://127.0.0.1:4000`. None where that is not known. */
export function accountText({ account }: Pick<Plan, 'account'>): string[] {
  if (!account) return [];
  const { type, name, baseUrl } = account;
  const place = baseUrl === undefined ? '' : baseUrl === twin ? ' on the embedded twin' : ` at ${baseUrl}`;
  return [cleanLine(`${type === 'team' ? 'team' : 'personal account'} ${name}${place}`)];
}

/** The subject of a question to a person: `these 22 changes to team acme`. */
export function changesText(plan: Plan): string {
  const number = countLogicalChanges(plan.changes.filter(({ action }) => action !== 'noop'));
  const follows = followingCounts(plan);
  const parts = [
    ...(number === 0 ? [] : [number === 1 ? 'this change' : `these ${number} changes`]),
    ...(follows.length > 0 ? [follows.join(', ')] : []),
  ];
  if (parts.length === 0) parts.push(...heldCount(plan));
  const [account] = accountText(plan);
  return `${parts.join(' and ')}${account ? ` to ${account}` : ''}`;
}

/** The ledger's name for the embedded twin, whose address differs each time. */
const twin = 'twin:';

/** The number of fields that differ for a cause. An adopted object was nobody's before, so nothing about it is in doubt. */
export const fieldsWith = (changes: Change[], cause: FieldCause): number =>
  groupLogicalChanges(
    changes.filter(
      ({ action, fields }) => action !== 'adopt' && fields.some((field) => field.cause === cause),
    ),
  )
    .flatMap(([change]) => change!.fields)
    .filter((field) => field.cause === cause).length;

/** Says what approving the plan means where both sides have changed; nothing where there is no conflict. */
export function conflictText(changes: Change[]): string[] {
  const conflicts = fieldsWith(changes, 'conflict');
  return conflicts === 0
    ? []
    : [
        `${count(conflicts, 'field')} changed both outside and here: approving this plan, or --overwrite-conflicts, overwrites what was changed outside.`,
      ];
}

/** Counts the changes that somebody has to allow: `2 changes take access away.`; nothing where there are none. */
export function permissionTexts(changes: Change[]): string[] {
  const asking = (permission: Permission) =>
    countLogicalChanges(changes.filter((change) => change.permissions?.includes(permission)));
  const said = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${count(number, 'change')} ${number === 1 ? one : many}.`];
  return [
    ...said(asking('cost'), 'costs money', 'cost money'),
    ...said(asking('remove-access'), "removes somebody's access", "remove people's access"),
  ];
}

/** Counts the objects that change hands: `6 objects are taken over from stack web.`; nothing where there are none. */
export function takeoverTexts(changes: Change[]): string[] {
  const group = groupBy(
    changes.filter(({ takenFrom }) => takenFrom !== undefined),
    ({ takenFrom }) => takenFrom!,
  );
  return [...group].map(([stack, objects]) => {
    const number = countLogicalChanges(objects);
    return `${count(number, 'object')} ${number === 1 ? 'is' : 'are'} taken over from stack ${cleanLine(stack)}.`;
  });
}

/** A warning for each stack that objects are taken over from, with their places: for formats that have nothing but problems. */
export function takeoverDiagnostics(changes: Change[]): Diagnostic[] {
  const taken = changes.filter(({ takenFrom }) => takenFrom !== undefined);
  return [...groupBy(taken, ({ takenFrom }) => takenFrom!).values()].map((objects) => {
    const [text] = takeoverTexts(objects);
    const names = groupLogicalChanges(objects).map(([change]) =>
      cleanLine(addressWithoutTarget(change!.address)),
    );
    return listingDiagnostic('plan/take-over', `${text!.replace(/\.$/, '')}: ${listFew(names)}`, objects);
  });
}

/** All messages about a plan for formats that show no changes: take-overs, objects that were not compared, and problems. */
export const planDiagnostics = (plan: Plan): Diagnostic[] => [
  ...takeoverDiagnostics(plan.changes),
  ...notComparedDiagnostics(plan),
  ...reportedDiagnostics(plan),
];

/**
 * Counts of what no stack here owns, by kind: `3 domain`, and `project (not listed)` where only what is mentioned was read, since then
 * nobody has counted. `name` writes a kind.
 */
export function unmanagedTexts(
  { unmanaged, unlisted = [] }: Pick<Plan, 'unmanaged' | 'unlisted'>,
  name: (kind: string) => string,
): string[] {
  const counts = groupBy(unmanaged, ({ kind }) => kind);
  return [...new Set([...counts.keys(), ...unlisted])]
    .sort()
    .map((kind) =>
      unlisted.includes(kind) ? `${name(kind)} (not listed)` : `${counts.get(kind)!.length} ${name(kind)}`,
    );
}

/** `Judged by guards.yaml: allowed.`; nothing where there are no guards. */
export function guardsTexts(plan: Plan): string[] {
  const { guards } = plan;
  if (!guards || asksForNothing(plan)) return [];
  const { file, checks = [], verdict } = guards;
  const by = [...(file === undefined ? [] : [file]), ...checks].map(cleanLine);
  return [`Judged by ${listed(by)}: ${verdict}.`];
}

/** Tells that an apply renews the ledger, and nothing else; empty if there is nothing to renew. */
export function renewedTexts({ changes }: Pick<Plan, 'changes'>): string[] {
  const number = countLogicalChanges(changes.filter(({ changesLedgerOnly }) => changesLedgerOnly));
  if (number === 0) return [];
  return [
    `The ledger is out of date for ${count(number, 'object')}: the next apply updates it without sending anything.`,
  ];
}

/** Names the objects that wait to be taken over: `projects/web waits for the stack two to take it over.`; nothing if there are none. */
export function handoverTexts({ changes }: Pick<Plan, 'changes'>): string[] {
  const waiting = groupBy(
    changes.filter(({ action, handover }) => action === 'noop' && handover !== undefined),
    ({ handover }) => handover!,
  );
  return [...waiting].map(([stack, objects]) => {
    const names = groupLogicalChanges(objects).map(([change]) => addressWithoutTarget(change!.address));
    const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
    const [verb, them] = names.length === 1 ? ['waits', 'it'] : ['wait', 'them'];
    return cleanLine(
      `${names.slice(0, 3).join(', ')}${more} ${verb} for the stack ${stack} to take ${them} over.`,
    );
  });
}

export const waitingTitle = 'Not ready yet (not a change)';

/** The objects that are not ready, a line each: why, and how long an apply waits for it. */
export const waitingTexts = ({ waiting = [] }: Pick<Plan, 'waiting'>): { name: string; text: string }[] =>
  waiting.map(({ address, why, minutes, failed }) => {
    const asked =
      minutes === undefined || failed ? '' : ` (apply waits for it, up to ${count(minutes, 'minute')})`;
    return { name: cleanLine(address), text: `${cleanLine(why)}${asked}` };
  });

export const sourcesTitle = 'Sources: new or changed since the last apply';
export const sourcesMean = 'The configuration did not read from these before.';

/** The sources that are new or have changed. */
export const newSources = ({ sources = [] }: Plan): PlanSource[] =>
  sources.filter(({ since }) => since !== undefined);

/** A source by what reads it, and what there is to say of it. */
interface SourceText {
  name: string;
  text: string;
}

const manyNotes = 5;
const widestNote = 200;

/**
 * The sources as lines. Secrets that are read where a secret is read by default stand in one line where they are many: nothing
 * about them is particular but their names.
 */
export function sourceTexts(sources: PlanSource[]): SourceText[] {
  const usual = sources.filter(
    (source) => source.since !== 'changed' && source.source.startsWith('env TRUEUP_SECRET_'),
  );
  const isFolded = usual.length > manyNotes;
  const shown = isFolded ? sources.filter((source) => !usual.includes(source)) : sources;
  const names = usual.map(({ name }) => cleanLine(name.replace(/^secret /, '')));
  const news = usual.some(({ since }) => since) ? ' (new)' : '';
  const folded = {
    name: `${usual.length} secrets`,
    text: `env TRUEUP_SECRET_NAME${news}: ${cutCounted(names.join(', '), widestNote)}`,
  };
  return [
    ...(isFolded ? [folded] : []),
    ...shown.map(({ name, source, since, before }) => ({
      name: cleanLine(name),
      text: `${cleanLine(source)}${since === 'changed' ? ` (was ${cleanLine(before!)})` : since === 'new' ? ' (new)' : ''}`,
    })),
  ];
}

/** The sources of the secrets that these changes are about, without those that are new: they have a section. */
export function sourcesOfChanges(changes: Change[], { sources = [] }: Plan): PlanSource[] {
  if (sources.length === 0) return [];
  const used = new Set(changes.flatMap(({ fields }) => fields.flatMap(({ after }) => secretNames(after))));
  const isUsed = (name: string) => used.has(`\${secret.${cleanLine(name.replace(/^secret /, ''))}}`);
  const taking = new Set(
    changes.flatMap(({ address, fields }) =>
      fields.map(({ path }) => `field ${path} of ${addressWithoutTarget(address)}`),
    ),
  );
  return sources.filter(
    ({ name, since }) =>
      since === undefined &&
      (name.startsWith('field ') ? taking.has(name) : name.startsWith('secret ') && isUsed(name)),
  );
}

/** `changed outside by ada, 2026-01-31 03:12 UTC, through a token`; nothing where nobody is known. */
export const changedByTexts = (driftSource: DriftSource | undefined): string[] =>
  driftSource === undefined
    ? []
    : [
        `changed outside by ${driftSource.who}, ${driftSource.when.slice(0, 16).replace('T', ' ')} UTC${driftSource.through === undefined ? '' : `, through ${driftSource.through}`}`,
      ];
