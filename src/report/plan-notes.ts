import type { Address } from '../model/address.ts';
import type { Change, FieldCause } from '../model/change.ts';
import { formatDeletionCount } from '../model/deletion-count.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { listFew, listFirst } from '../model/fold-wordings.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { addressWithoutTarget, countLogicalChanges, groupLogicalChanges } from '../model/logical-changes.ts';
import { countNotCompared } from '../model/not-compared.ts';
import {
  asksForNothing,
  type DriftSource,
  type Operation,
  type Plan,
  type PlanSource,
  type Summary,
} from '../model/plan.ts';
import { countPlannedDeletions } from '../model/planned-deletions.ts';
import type { Permission } from '../model/resource.ts';
import { namesByFamily } from '../model/secret-families.ts';
import { followingCounts, heldCount } from './action-texts.ts';
import { asSuppressed, findingCountsTexts } from './finding-text.ts';
import {
  listingDiagnostic,
  notComparedDiagnostics,
  notComparedState,
  reportedDiagnostics,
} from './not-compared-text.ts';
import { secretNames } from './show.ts';
import { cleanLine, count, cutCounted, joinAsSentence } from './text.ts';
import { countUnmanaged, splitUnmanaged } from './unmanaged-text.ts';

/*
 * Formats and counts facts about a plan that several reports print, such as text, comment and page, so that all of them use the same words.
 * A function for texts returns none if there is nothing to say.
 */

/**
 * Names the account of a plan, for the head of reports and for the questions `Apply ...?` and `Undo ...?`: `team acme`,
 * `team acme at http://127.0.0.1:4000`, `team acme on the embedded twin`. Empty if the account is unknown.
 */
export function accountText({ account }: Pick<Plan, 'account'>): string[] {
  if (!account) return [];
  const { type, name, baseUrl } = account;
  const otherServer = baseUrl === twin ? ' on the embedded twin' : ` at ${baseUrl}`;
  // The base URL is only there if it is not the platform's default.
  const location = baseUrl === undefined ? '' : otherServer;
  return [cleanLine(`${type === 'team' ? 'team' : 'personal account'} ${name}${location}`)];
}

/**
 * Returns what a person has to approve, for the questions `Apply ...?` and `Undo ... with ...?`:
 * `these 22 changes to team acme`. Names also the follow-up actions (`$then`) that will be sent:
 * `these 22 changes and 2 builds to team acme`. Says if the changes delete objects. If there are neither changes nor such actions, counts
 * the actions that are requested but not sent now.
 */
export function changesText(plan: Plan): string {
  const number = countLogicalChanges(plan.changes.filter(({ action }) => action !== 'noop'));
  const follows = followingCounts(plan);
  const parts = [
    ...(number === 0 ? [] : [number === 1 ? 'this change' : `these ${number} changes`]),
    ...(follows.length > 0 ? [follows.join(', ')] : []),
  ];
  if (parts.length === 0) parts.push(...heldCount(plan));
  const deletion = deletionClause(plan.changes, number === 1 ? 'deletes' : 'delete');
  const [account] = accountText(plan);
  return `${parts.join(' and ')}${deletion}${account ? ` to ${account}` : ''}`;
}

/**
 * Returns the clause of a question that counts what changes delete: `, which delete 3 objects (3 redirects),`. Empty if they delete
 * nothing.
 */
export function deletionClause(changes: readonly Change[], verb: 'delete' | 'deletes' = 'delete'): string {
  const deleted = countPlannedDeletions(changes);
  return deleted.objects === 0 ? '' : `, which ${verb} ${formatDeletionCount(deleted)},`;
}

/**
 * States how many objects a plan deletes, by kind, if a container is deleted with its contents; empty otherwise, since the counts say it
 * then.
 */
export function deletionTexts({ changes }: Pick<Plan, 'changes'>): string[] {
  const hasContainer = changes.some(({ deletes }) => deletes !== undefined);
  return hasContainer ? [`This deletes ${formatDeletionCount(countPlannedDeletions(changes))}.`] : [];
}

/** The base URL that the ledger records for the embedded twin, because its real address differs each time. */
const twin = 'twin:';

/**
 * Counts the fields that differ for a cause, such as conflicts, for the summary of a plan. Leaves out adopted objects: before the adoption
 * nothing was applied to them, so their fields are not in doubt.
 */
export const countFieldsWith = (changes: Change[], cause: FieldCause): number =>
  groupLogicalChanges(
    changes.filter(
      ({ action, fields }) => action !== 'adopt' && fields.some((field) => field.cause === cause),
    ),
  )
    .flatMap(([change]) => change!.fields)
    .filter((field) => field.cause === cause).length;

/**
 * Warns in reports of a plan that an apply overwrites changes that somebody made outside, with the number of conflicts. Empty if there is
 * no conflict.
 */
export function conflictText(changes: Change[]): string[] {
  const conflicts = countFieldsWith(changes, 'conflict');
  return conflicts === 0
    ? []
    : [
        `${count(conflicts, 'field')} changed both outside and here: approving this plan, or --overwrite-conflicts, overwrites the outside changes.`,
      ];
}

/** Counts for reports of a plan the changes that need a permission (`$allow`): `2 changes cost money.` Empty if there are none. */
export function permissionTexts(changes: Change[]): string[] {
  const countWith = (permission: Permission) =>
    countLogicalChanges(changes.filter((change) => change.permissions?.includes(permission)));
  const sentenceFor = (number: number, singular: string, plural: string) =>
    number === 0 ? [] : [`${count(number, 'change')} ${number === 1 ? singular : plural}.`];
  return [
    ...sentenceFor(countWith('cost'), 'costs money', 'cost money'),
    ...sentenceFor(countWith('remove-access'), "removes somebody's access", "remove people's access"),
  ];
}

/**
 * Counts the objects that this stack takes over from another one, since a reviewer has to know it: `6 objects are taken over from stack
 * web.` Empty if there are none.
 */
export function takeoverTexts(changes: Change[]): string[] {
  return [...takeoversByStack(changes)].map(([stack, objects]) => {
    const number = countLogicalChanges(objects);
    return `${count(number, 'object')} ${number === 1 ? 'is' : 'are'} taken over from stack ${cleanLine(stack)}.`;
  });
}

/** Groups the changes that take an object over (`$from`) by the stack that owned it, since a plan warns once per stack. */
const takeoversByStack = (changes: Change[]) =>
  groupBy(
    changes.filter(({ takenFrom }) => takenFrom !== undefined),
    ({ takenFrom }) => takenFrom!,
  );

/**
 * Returns a warning for each stack from which this stack takes objects over (`$from`), with the lines of the
 * configuration that declare them. Used by formats that can only print problems.
 */
function takeoverDiagnostics(changes: Change[]): Diagnostic[] {
  return [...takeoversByStack(changes).values()].map((objects) => {
    const [text] = takeoverTexts(objects);
    const names = groupLogicalChanges(objects).map(([change]) =>
      cleanLine(addressWithoutTarget(change!.address)),
    );
    return listingDiagnostic('plan/take-over', `${text!.replace(/\.$/, '')}: ${listFew(names)}`, objects);
  });
}

/**
 * Returns all messages about a plan for formats that show no changes, such as SARIF: take-overs, objects that were not compared, problems,
 * and the findings that the configuration suppresses, marked as suppressed.
 */
export const planDiagnostics = (plan: Plan): Diagnostic[] => [
  ...takeoverDiagnostics(plan.changes),
  ...notComparedDiagnostics(plan),
  ...reportedDiagnostics(plan),
  ...asSuppressed(plan.suppressedFindings),
];

/**
 * Formats the verdict of the guards (the operator's rules for plans) for reports of a plan: `Judged by guards.yaml: allowed.` Empty if
 * there are no guards or no changes to judge.
 */
export function guardsTexts(plan: Plan): string[] {
  const { guards } = plan;
  if (!guards || asksForNothing(plan)) return [];
  const { file, checks = [], verdict } = guards;
  const judges = [...(file === undefined ? [] : [file]), ...checks].map(cleanLine);
  return [`Judged by ${joinAsSentence(judges)}: ${verdict}.`];
}

/**
 * Returns the sentence of a plan with the number of objects whose ledger entries an apply updates without sending anything; empty if there
 * are none. If all of these entries are dropped for one reason, the sentence has it: for example, `no longer in the account`.
 */
export function renewedTexts({ changes }: Pick<Plan, 'changes'>): string[] {
  const renewed = changes.filter(({ changesLedgerOnly }) => changesLedgerOnly);
  if (renewed.length === 0) return [];
  // Undefined stands for an entry that is updated and stays: with one of these, no reason is true for all.
  const dropReasons = new Set(
    renewed.map(({ action, reason }) => (action === 'forget' ? reason : undefined)),
  );
  const [firstReason] = dropReasons;
  const why = dropReasons.size === 1 && firstReason !== undefined ? ` (${firstReason})` : '';
  const objects = count(countLogicalChanges(renewed), 'object');
  return [
    cleanLine(
      `The ledger is out of date for ${objects}${why}: the next apply updates it without sending anything.`,
    ),
  ];
}

/**
 * Names in reports of a plan the objects that another stack is to take over: `projects/web waits for the stack two to take it over.` Empty
 * if there are none.
 */
export function handoverTexts({ changes }: Pick<Plan, 'changes'>): string[] {
  const waiting = groupBy(
    changes.filter(({ action, handover }) => action === 'noop' && handover !== undefined),
    ({ handover }) => handover!,
  );
  return [...waiting].map(([stack, objects]) => {
    const names = groupLogicalChanges(objects).map(([change]) => addressWithoutTarget(change!.address));
    const [verb, them] = names.length === 1 ? ['waits', 'it'] : ['wait', 'them'];
    return cleanLine(`${listFirst(names, 3)} ${verb} for the stack ${stack} to take ${them} over.`);
  });
}

/** The heading of the objects that are not ready, in all reports. */
export const waitingTitle = 'Not ready yet (not a change)';

/**
 * Returns for reports of a plan a name and a text for each object that is not ready, such as a domain to verify: the reason, and how long
 * an apply waits for it.
 */
export const waitingTexts = ({ waiting = [] }: Pick<Plan, 'waiting'>): { name: string; text: string }[] =>
  waiting.map(({ address, why, minutes, failed }) => {
    const waitText =
      minutes === undefined || failed ? '' : ` (apply waits for it, up to ${count(minutes, 'minute')})`;
    return { name: cleanLine(address), text: `${cleanLine(why)}${waitText}` };
  });

/** The heading of the new sources, and the sentence below it. */
export const sourcesTitle = 'Sources: new or changed since the last apply';
export const sourcesMeaning = 'The configuration did not read from these before.';

/**
 * Returns the sources that are new or changed since the last apply. Reports show them in a section, because values from elsewhere need
 * review.
 */
export const newSources = ({ sources = [] }: Plan): PlanSource[] =>
  sources.filter(({ since }) => since !== undefined);

/** A source as a line of a report: the secret or variable that is read, and where from. */
interface SourceText {
  name: string;
  text: string;
}

const maxDefaultSources = 5;
const maxSecretNamesWidth = 200;

/**
 * Formats the sources of secrets and variables for a plan, each as a name and a text: `secret DB_URL` and `env DATABASE_URL
 * (new)`. More than five secrets from the default place (the variable `TRUEUP_SECRET_NAME`) share one text,
 * because they differ only in their names.
 */
export function sourceTexts(sources: PlanSource[]): SourceText[] {
  const defaultSources = sources.filter(
    (source) => source.since !== 'changed' && source.source.startsWith('env TRUEUP_SECRET_'),
  );
  if (defaultSources.length <= maxDefaultSources) return sources.map(sourceText);
  const otherSources = sources.filter((source) => !defaultSources.includes(source));
  return [defaultSourcesText(defaultSources), ...otherSources.map(sourceText)];
}

/** Formats one source, with a note if it is new or has changed since the last apply. */
function sourceText({ name, source, since, before }: PlanSource): SourceText {
  // A changed source always has the value that it had before.
  const notes = { new: ' (new)', changed: ` (was ${cleanLine(before ?? '')})` };
  return { name: cleanLine(name), text: `${cleanLine(source)}${since === undefined ? '' : notes[since]}` };
}

/** Formats the secrets that are read from the variables of their own names as one source. */
function defaultSourcesText(sources: PlanSource[]): SourceText {
  const names = sources.map(({ name }) => cleanLine(name.replace(/^secret /, '')));
  const newText = sources.some(({ since }) => since) ? ' (new)' : '';
  return {
    name: `${sources.length} secrets`,
    text: `env TRUEUP_SECRET_NAME${newText}: ${cutCounted(namesByFamily(names).join(', '), maxSecretNamesWidth)}`,
  };
}

/**
 * Returns the sources (environment variables, files, programs, fields) of the secrets that these changes write, so that a
 * reviewer sees where the values come from. New and changed sources are left out, because they have a section of their
 * own, and so are those of variables. The name of a source is `secret NAME` or `field PATH of ADDRESS`.
 */
export function sourcesOfChanges(changes: Change[], { sources = [] }: Plan): PlanSource[] {
  if (sources.length === 0) return [];
  // The secrets in the new values, each as its expression: `${secret.NAME}`.
  const secretTexts = new Set(
    changes.flatMap(({ fields }) => fields.flatMap(({ after }) => secretNames(after))),
  );
  const fieldNames = new Set(
    changes.flatMap(({ address, fields }) =>
      fields.map(({ path }) => `field ${path} of ${addressWithoutTarget(address)}`),
    ),
  );
  const isUsed = (name: string) => {
    if (name.startsWith('field ')) return fieldNames.has(name);
    return (
      name.startsWith('secret ') && secretTexts.has(`\${secret.${cleanLine(name.slice('secret '.length))}}`)
    );
  };
  const isNewOrChanged = ({ since }: PlanSource) => since !== undefined;
  return sources.filter((source) => !isNewOrChanged(source) && isUsed(source.name));
}

/**
 * Formats for reports of a plan who changed an object outside: `changed outside by ada, 2026-01-31 03:12 UTC, through a token`. Empty if
 * that is unknown.
 */
export function changedByTexts(driftSource: DriftSource | undefined): string[] {
  if (driftSource === undefined) return [];
  const { who, when, through } = driftSource;
  const throughText = through === undefined ? '' : `, through ${through}`;
  return [`changed outside by ${who}, ${when.slice(0, 16).replace('T', ' ')} UTC${throughText}`];
}

/**
 * Counts the changes of a plan by action. Used for the totals of text, JSON, page and comment, so that they show the same numbers.
 *
 * A variable in several targets counts once, as people count. A deleted container counts with everything in it. A forgotten object (only
 * its ledger entry is dropped) counts as released. A change that only updates the ledger counts under `renew` and under nothing else.
 */
export function summarizePlan(plan: Plan): Summary {
  const { objects, secrets } = countNotCompared(plan.notCompared);
  const { ofNobody, ofOthers } = splitUnmanaged(plan);
  const summary: Summary = {
    create: 0,
    adopt: 0,
    adoptAndUpdate: 0,
    update: 0,
    replace: 0,
    delete: countPlannedDeletions(plan.changes).objects,
    move: 0,
    release: 0,
    noop: 0,
    renew: 0,
    // The number of unmanaged objects of `partialKinds` is unknown.
    unmanaged: countUnmanaged(ofNobody.filter(({ kind }) => !plan.partialKinds?.includes(kind))),
    ofOtherStacks: countUnmanaged(ofOthers),
    notCompared: objects,
    secretsNotCompared: secrets,
  };
  const sentAddresses = sentAddressesIn(plan);
  for (const [change] of groupLogicalChanges(plan.changes)) {
    const { action, address, changesLedgerOnly } = change!;
    // Counted above, with the contents of containers.
    if (action === 'delete') continue;
    const countedAction = action === 'forget' ? 'release' : action;
    summary[changesLedgerOnly ? 'renew' : countedAction]++;
    if (action === 'adopt' && sentAddresses.has(address)) summary.adoptAndUpdate++;
  }
  return summary;
}

/**
 * Returns the addresses that some request of the plan writes (sends). Reports use them to tell an adoption that also changes its object
 * from one that only records it in the ledger.
 */
export const sentAddressesIn = ({ operations }: Pick<Plan, 'operations'>): ReadonlySet<string> =>
  new Set(operations.flatMap(({ changes }) => changes));

/**
 * Returns the operations that carry out the change of each address, in the plan's order. One operation may
 * carry out several changes, and a change may need several operations. Used to print requests below their
 * change.
 */
export function indexOperationsByAddress({
  operations,
}: Pick<Plan, 'operations'>): ReadonlyMap<Address, Operation[]> {
  const operationsByAddress = new Map<Address, Operation[]>();
  for (const operation of operations)
    for (const address of operation.changes) addTo(operationsByAddress, address, operation);
  return operationsByAddress;
}

/** Formats how many of the adopted objects are also changed: ` (3 of them changed)`; empty for none. */
export const alsoChangedText = (count: number): string => (count > 0 ? ` (${count} of them changed)` : '');

/** GitLab does not show greater numbers. */
const maxGitlabCount = 999_999;

/** The file that GitLab reads as `artifacts:reports:terraform`. */
interface GitlabCounts {
  create: number;
  update: number;
  delete: number;
  /** Take-overs, and the numbers of findings and of objects that were not compared. GitLab ignores this member. */
  notes?: string[];
}

/**
 * Counts the changes of a plan for the widget of a GitLab merge request. GitLab knows three actions only, so a replacement counts as one
 * deletion and one creation, and a move or an adoption that changes the object as an update.
 */
export function createGitlabCounts(plan: Plan): GitlabCounts {
  const sentAddresses = sentAddressesIn(plan);
  const countActions = (...actions: string[]) =>
    Math.min(
      maxGitlabCount,
      countLogicalChanges(plan.changes.filter(({ action }) => actions.includes(action))),
    );
  const notes = [...takeoverTexts(plan.changes), ...findingCountsTexts(plan), ...notComparedState(plan)];
  const changedAdoptions = countLogicalChanges(
    plan.changes.filter(({ action, address }) => action === 'adopt' && sentAddresses.has(address)),
  );
  return {
    create: countActions('create', 'replace'),
    update: Math.min(maxGitlabCount, countActions('update', 'move') + changedAdoptions),
    delete: countActions('delete', 'replace'),
    notes: notes.length > 0 ? notes : undefined,
  };
}
