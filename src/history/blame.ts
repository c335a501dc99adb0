import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isPartOfAddress } from '../kind/define-kind.ts';
import { holdsSecretOfRun, secretFinderOf } from '../kind/disclosure.ts';
import { isVerified } from '../ledger/proof.ts';
import { type Address, globOf } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { byKey } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { LiveResource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { jsonValue, show } from '../report/show.ts';
import { plainly, type Style } from '../report/style.ts';
import { cleanLine, cutCounted, displayWidth, padded } from '../report/text.ts';
import { type OpenPlanOptions, openSessionPlan, type Planned } from '../run/open-plan.ts';
import type { RunSession } from '../run/session.ts';
import { formatDoubt } from './log-text.ts';
import type { RecordedChange, RunRecord } from './record.ts';

/** A field of an object as the account shows it now. */
interface LiveField {
  path: string;
  /** As JSON; `(secret)` where it is one. */
  value: unknown;
  /** True if the value is not the one that this stack applied last. */
  isChanged: boolean;
  /** True if the ledger has the field: the configuration of this stack declared it at the last apply. */
  isDeclared: boolean;
}

/** The origin of a field's value. */
export interface FieldOrigin {
  address: Address;
  path: string;
  value?: unknown;
  /** The person who set it; `outside` if it was not set with trueup. Absent if the history has no author. */
  by?: string;
  run?: number;
  /** The time of that run. For a value that was set outside: the time of the last run that set another one. */
  since?: string;
  commit?: string;
  dirty?: true;
  /** Why the record of that run is not verified, if it is not. */
  notVerified?: string;
}

/**
 * Returns who set each field of an object and when, for `trueup blame`. A field comes from the last run that set
 * it. If the account has another value by now, it was changed outside.
 * - `records`: the history of the stack, oldest first.
 * - `liveFields`: the fields in the account; undefined if it was not read. Then the history alone counts.
 * - `outsideAuthor`: the author of the changes outside, if the platform names one.
 */
export function findFieldOrigins(
  address: Address,
  records: readonly RunRecord[],
  liveFields: readonly LiveField[] | undefined,
  outsideAuthor?: string,
): FieldOrigin[] {
  const setters = lastSetters(address, records);
  if (!liveFields)
    return [...setters].sort(byKey).map(([path, { record, value, wasThere }]) => ({
      address,
      path,
      value,
      ...(wasThere ? { by: 'outside' } : originOfRecord(record)),
    }));
  const outside = outsideAuthor === undefined ? 'outside' : `outside: ${outsideAuthor}`;
  return [...liveFields]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((field) => ({ address, ...originOfLiveField(field, setters.get(field.path), outside) }));
}

/**
 * Returns who set the value that a field has in the account, for `trueup blame`: the run that set it last
 * (`setter`), if the account still has the value of that run, else somebody outside. `outside`: the text for that,
 * such as `outside: ada`. A declared field that no recorded run set has no author: it was set before the history
 * began. A value that the run found in the account (`wasThere`) comes from outside, too, by an author that is not known.
 */
function originOfLiveField(
  { path, value, isChanged, isDeclared }: LiveField,
  setter: Setter | undefined,
  outside: string,
): Omit<FieldOrigin, 'address'> {
  if (!setter) return { path, value, by: isDeclared ? undefined : outside };
  const { record, value: recordedValue, wasThere } = setter;
  // A hidden or missing value cannot be compared here. For these, the plan has compared digests (`isChanged`).
  const isHidden = recordedValue === undefined || recordedValue === '(secret)' || value === '(secret)';
  const isSame = !isChanged && (isHidden || canonicalJson(recordedValue) === canonicalJson(value));
  if (!isSame) return { path, value, by: outside, since: record.head.end ?? record.head.start };
  if (wasThere) return { path, value, by: 'outside' };
  const shownValue = value === '(secret)' && recordedValue !== undefined ? recordedValue : value;
  return { path, value: shownValue, ...originOfRecord(record) };
}

/**
 * Returns who set a value and when, for `trueup blame`, from the record of the run that set it. `notVerified` says
 * why the record is in doubt. That there is no key here is not repeated for each value, because it is reported
 * once.
 */
function originOfRecord({ head, proof }: RunRecord): Omit<FieldOrigin, 'address' | 'path'> {
  const { run, actor, start, end, commit } = head;
  return {
    by: actor?.name,
    run,
    since: end ?? start,
    commit: commit?.id,
    dirty: commit?.dirty && (true as const),
    notVerified: isVerified(proof) || proof.doubt === 'no-key' ? undefined : formatDoubt(proof),
  };
}

/** The last run that set a field, or found it in the account. */
interface Setter {
  record: RunRecord;
  value: unknown;
  /** True if the run did not set the value but found it in the account, when it adopted the object. */
  wasThere: boolean;
}

/**
 * Returns the last run that set each field of an object, by the path of the field, for `trueup blame`. `records`:
 * oldest first. A creation or deletion forgets all earlier fields, because they belong to another object, and a field
 * that the stack gave up (`released`) is forgotten, too. Changes that the run did not try do not count. `wasThere`: the
 * run found the value in the account (`recorded`) and only wrote it into the ledger.
 */
function lastSetters(address: Address, records: readonly RunRecord[]): Map<string, Setter> {
  // `left`: postponed, because of a rate limit.
  const isTried = ({ result }: RecordedChange) => result !== 'not tried' && result !== 'left';
  const tried = records.flatMap((record) =>
    (record.details?.changes ?? [])
      .filter((change) => change.address === address && isTried(change))
      .map((change) => ({ record, change })),
  );
  const setters = new Map<string, Setter>();
  for (const { record, change } of tried) {
    if (change.action === 'delete' || change.action === 'create') setters.clear();
    const setFields = change.action === 'delete' ? [] : change.fields;
    for (const { path, after, cause, omitted } of setFields)
      if (cause === 'released') setters.delete(path);
      else setters.set(path, { record, value: omitted ? undefined : after, wasThere: cause === 'recorded' });
  }
  return setters;
}

/** The widest value that is shown, in characters. */
const widestValue = 60;

/**
 * Formats the origins of fields as a table for `trueup blame`: path, value, time, author, commit and run. A line
 * with the address stands above the fields of each object. If the table is too wide for the terminal, each field
 * takes two lines.
 */
export function formatFieldOrigins(rows: readonly FieldOrigin[], style: Style): string {
  const cells = rows.map(originCells);
  // Those of the first four columns. The fifth ends the line, so it needs none.
  const widths = [0, 1, 2, 3].map((index) => Math.max(0, ...cells.map((row) => displayWidth(row[index]!))));
  const oneLineRows = cells.map((row) => {
    const columns = row.map((cell, column) => padded(cell, widths[column] ?? 0));
    return `  ${columns.join('  ').trimEnd()}`;
  });
  // If one row is too wide, the author of every value goes to a second line.
  const isNarrow = oneLineRows.some((text) => displayWidth(text) > style.prose);
  const twoLinesOf = ([path, value, ...setter]: string[]) => [
    `  ${padded(path!, widths[0]!)}  ${value}`,
    style.quiet(`      ${setter.filter(Boolean).join('  ')}`),
  ];
  const lines = rows.flatMap(({ address }, index) => {
    const isSameObject = rows[index - 1]?.address === address;
    return [
      ...(isSameObject ? [] : [style.strong(cleanLine(address))]),
      ...(isNarrow ? twoLinesOf(cells[index]!) : [oneLineRows[index]!]),
    ];
  });
  return plainly(lines.join('\n'), style);
}

/** Returns the columns of `trueup blame` for a field: path, value, time, author, and one column with the commit, the run and a doubt. */
function originCells({ path, value, since, by, run, commit, dirty, notVerified }: FieldOrigin): string[] {
  const plainValue = value === undefined ? 'not kept' : show(value);
  const shownValue = value === '(secret)' ? value : plainValue;
  const author = by ?? (run === undefined ? 'unknown: before the history' : 'author unknown');
  const shownCommit = commit && `${commit.slice(0, 12)}${dirty ? ', with uncommitted changes' : ''}`;
  const cause = [
    shownCommit,
    run === undefined ? '' : `#${run}`,
    notVerified === undefined ? '' : `not verified: ${notVerified}`,
  ];
  return [
    cleanLine(path),
    cutCounted(cleanLine(shownValue), widestValue),
    since?.replace(/\.\d+Z$/, 'Z') ?? '',
    cleanLine(author),
    cause.filter(Boolean).join('  '),
  ];
}

/** The fields of an account that `blame` shows. */
interface AccountOrigins {
  origins: FieldOrigin[];
  /** The addresses that the account, the ledger or the configuration has. */
  addresses: Address[];
  /** The problems with parts that could not be read. */
  problems: Diagnostic[];
}

/** True if an address is the asked one, or one of its targets: `blame projects/web/env/A` means the variable in all its environments. */
export const isAsked = (address: Address, asked: Address): boolean =>
  address === asked || addressWithoutTarget(address) === asked;

/**
 * Reads the objects at an address (`asked`) for `trueup blame`, and returns for each field who set the value that the account has now.
 * Values that contain a secret of the run are hidden. Also returns all known addresses, for a hint if nothing is at this one, and the
 * problems of parts of the account that could not be read. `records`: the history of the stack.
 */
export async function readFieldOrigins(
  session: RunSession,
  asked: Address,
  records: readonly RunRecord[],
  planOptions: OpenPlanOptions,
): Promise<AccountOrigins> {
  const planned = await openSessionPlan(session, {
    ...planOptions,
    targets: [globOf(asked)],
    // An object that neither the configuration nor the account has any more is no problem: the history may know it. So it is for `undo`.
    toleratesMissing: 'undo',
  });
  const { live, ledger, desired, plan } = planned;
  const isSecret = secretFinderOf(session);
  const askedResources = [...live.resources.values()].filter(({ address }) => isAsked(address, asked));
  const origins = askedResources.flatMap((resource) => {
    const { address } = resource;
    const author = plan.changedBy?.find((change) => change.address === address)?.who;
    return findFieldOrigins(address, records, liveFieldsOf(resource, planned), author);
  });
  return {
    origins: origins.map((origin) =>
      holdsSecretOfRun(origin.value as Value, isSecret) ? { ...origin, value: '(secret)' } : origin,
    ),
    addresses: [...live.resources.keys(), ...Object.keys(ledger.entries), ...desired.resources.keys()],
    problems: plan.diagnostics.filter(({ code }) => code === 'observe/incomplete'),
  };
}

/**
 * Returns the fields of an object in the account that `blame` lists, each with whether it was changed outside.
 * Leaves out its name and target, because they are in its address, and empty fields that are not declared.
 */
function liveFieldsOf(
  { address, kind: kindName, fields }: LiveResource,
  { plan, input, ledger }: Planned,
): LiveField[] {
  const kind = input.kinds.get(kindName)!;
  const change = plan.changes.find((candidate) => candidate.address === address);
  const entry = ledger.entries[address];
  return leavesOf(comparedFields(kind), fields).flatMap(({ path, value, isSecret }): LiveField[] => {
    const isDeclared = entry?.fields[path] !== undefined || entry?.secrets[path] !== undefined;
    const isEmptyValue = value === null || value === '';
    if ((!isDeclared && isEmptyValue) || isPartOfAddress(path, kind)) return [];
    const cause = change?.fields.find((field) => field.path === path)?.cause;
    // `conflict`: the configuration was changed as well.
    const isChanged = cause === 'drift' || cause === 'conflict';
    return [{ path, value: isSecret ? '(secret)' : jsonValue(value), isChanged, isDeclared }];
  });
}
