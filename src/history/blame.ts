import { isVerified } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { byKey } from '../model/graph.ts';
import { cleanLine } from '../report/clean.ts';
import { cutCounted, displayWidth } from '../report/cut.ts';
import { show } from '../report/show.ts';
import { plainly, type Style } from '../report/style.ts';
import { formatDoubt } from './log-text.ts';
import type { RunRecord } from './record.ts';

/** A field of an object as the account has it. */
export interface LiveField {
  path: string;
  /** As JSON; `(secret)` where it is one. */
  value: unknown;
  /** It is not what this stack applied last. */
  isChanged: boolean;
  /** This stack declares it. */
  isDeclared: boolean;
}

/** The origin of a field's value. */
export interface FieldOrigin {
  address: Address;
  path: string;
  value?: unknown;
  /** The person who set it; `outside`: nobody from here. Absent if the history does not say. */
  by?: string;
  run?: number;
  /** When that run was; of what was set outside, when it was last as this stack had set it. */
  since?: string;
  commit?: string;
  dirty?: true;
  /** Why the record that says so is not verified. */
  notVerified?: string;
}

/** For each field of an object, who set it: the last run that did, unless it is another value by now. `found`: absent where the account was not read. */
export function findFieldOrigins(
  address: Address,
  records: readonly RunRecord[],
  foundFields: readonly LiveField[] | undefined,
  who?: string,
): FieldOrigin[] {
  const setters = lastSetters(address, records);
  const outside = who === undefined ? 'outside' : `outside: ${who}`;
  if (!foundFields)
    return [...setters].sort(byKey).map(([path, { record, value, wasThere }]) => ({
      address,
      path,
      value,
      ...(wasThere ? { by: 'outside' } : byRecord(record)),
    }));
  return [...foundFields]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, value, isChanged: isOther, isDeclared: isOurs }) => {
      const setter = setters.get(path);
      const one = { address, path, value };
      if (!setter) return isOurs ? one : { ...one, by: outside };
      const { record, value: set, wasThere } = setter;
      // What cannot be compared is told by the plan: `isOther`.
      const isHidden = set === undefined || set === '(secret)' || value === '(secret)';
      const isSame = isHidden || canonical(set) === canonical(value);
      if (wasThere && isSame && !isOther) return { ...one, by: 'outside' };
      return isOther || !isSame
        ? { ...one, by: outside, since: record.head.end ?? record.head.start }
        : {
            ...one,
            ...(value === '(secret)' && set !== undefined ? { value: set } : {}),
            ...byRecord(record),
          };
    });
}

function byRecord({ head, proof }: RunRecord): Omit<FieldOrigin, 'address' | 'path'> {
  const { run, actor, start, end, commit } = head;
  return {
    ...(actor ? { by: actor.name } : {}),
    run,
    since: end ?? start,
    ...(commit ? { commit: commit.id, dirty: commit.dirty && (true as const) } : {}),
    notVerified: isVerified(proof) || proof.doubt === 'no-key' ? undefined : formatDoubt(proof),
  };
}

interface Setter {
  record: RunRecord;
  value: unknown;
  /** The run found it so. */
  wasThere: boolean;
}

/** By path, the last run that said something of a field. What is gone meanwhile has none. */
function lastSetters(address: Address, records: readonly RunRecord[]): Map<string, Setter> {
  const setters = new Map<string, Setter>();
  for (const record of records)
    for (const change of record.details?.changes ?? []) {
      if (change.address !== address || change.result === 'not tried' || change.result === 'left') continue;
      if (change.action === 'delete' || change.action === 'create') setters.clear();
      if (change.action === 'delete') continue;
      for (const { path, after, cause, omitted } of change.fields) {
        if (cause === 'released') setters.delete(path);
        else
          setters.set(path, { record, value: omitted ? undefined : after, wasThere: cause === 'recorded' });
      }
    }
  return setters;
}

const widestValue = 60;

/** Rows of fields, under a line with the address. */
export function formatFieldOrigins(rows: readonly FieldOrigin[], style: Style): string {
  const cells = rows.map((row) => [
    cleanLine(row.path),
    cutCounted(
      cleanLine(
        row.value === '(secret)' ? '(secret)' : row.value === undefined ? 'not kept' : show(row.value),
      ),
      widestValue,
    ),
    row.since?.replace(/\.\d+Z$/, 'Z') ?? '',
    cleanLine(row.by ?? (row.run === undefined ? 'unknown: before the history' : 'author unknown')),
    [
      row.commit === undefined
        ? ''
        : `${row.commit.slice(0, 12)}${row.dirty ? ', with uncommitted changes' : ''}`,
      row.run === undefined ? '' : `#${row.run}`,
      row.notVerified === undefined ? '' : `not verified: ${row.notVerified}`,
    ]
      .filter(Boolean)
      .join('  '),
  ]);
  const widths = [0, 1, 2, 3].map((index) => Math.max(0, ...cells.map((row) => displayWidth(row[index]!))));
  const padded = (cell: string, column: number) =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
  const whole = cells.map((row) => `  ${row.map(padded).join('  ').trimEnd()}`);
  // Where a line has no room for all of it, who set the value comes on a line below.
  const isNarrow = whole.some((text) => displayWidth(text) > style.prose);
  const inTwo = ([path, value, ...setter]: string[]) => [
    `  ${padded(path!, 0)}  ${value}`,
    style.quiet(`      ${setter.filter(Boolean).join('  ')}`),
  ];
  const lines = cells.flatMap((row, index) => [
    ...(rows[index - 1]?.address === rows[index]!.address
      ? []
      : [style.strong(cleanLine(rows[index]!.address))]),
    ...(isNarrow ? inTwo(row) : [whole[index]!]),
  ]);
  return plainly(lines.join('\n'), style);
}
