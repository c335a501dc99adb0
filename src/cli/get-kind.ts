import { lineage } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Provider } from '../kind/provider.ts';
import { byAddress, lastNameOf } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { emptyLedger } from '../model/ledger.ts';
import { readOnly } from '../model/plan.ts';
import { collectionParts, type Live } from '../model/resource.ts';
import { observe } from '../observe/observe.ts';
import { isOnTheWay } from './export.ts';
import { sealKnown } from './known-secrets.ts';
import { sourcesFor } from './load-configuration.ts';
import { openReading } from './open-reading.ts';
import { printRows } from './print-rows.ts';
import { refuseUnknown } from './read-lookup.ts';
import type { Terminal } from './terminal.ts';
import { type GetOptions, noneOf } from './wanted-options.ts';

/** Prints the objects of a kind, as a configuration would have them. Secrets are not shown. Throws `Problems`. */
export async function getKind(
  provider: Provider,
  kind: Kind,
  name: string | undefined,
  options: GetOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  refuseUnknown(options.fields ?? [], ['address', ...Object.keys(kind.fields)], { what: kind.name });
  const reading = await openReading(provider, options, terminal);
  try {
    const { kinds, connection, configuration, owner, baseUrl, masking } = reading;
    const way = new Set(lineage(kinds, kind.name).map((one) => one.name));
    const isAddress = name?.includes('/') ?? false;
    const found = await observe(
      { stack: '', resources: new Map(), inputs: [], folders: [] },
      emptyLedger('', '', ''),
      kinds,
      readOnly(connection.send),
      {
        facts: owner.facts,
        also: (one, parent) => way.has(one.name) && (!isAddress || isOnTheWay(one, parent, [name!])),
      },
    );
    const known = { owner, baseUrl, twin: options.twin ?? false };
    const live = await sealKnown(found, kinds, configuration, known, host, sourcesFor(options, host));
    const test = name === undefined ? () => true : matcherOf([name]);
    const isMeant = (address: string) => test(isAddress ? address : lastNameOf(address));
    const rows = [...live.resources.values()]
      .filter((one) => one.kind === kind.name && isMeant(one.address))
      .sort(byAddress)
      .map(({ address, fields }) => ({ address, ...fields }));
    refuseUnread(live, kind, rows.length);
    const shown = rows.slice(0, options.limit);
    const columns = ['address', ...Object.keys(kind.fields).slice(0, 6)];
    printRows(
      {
        what: kind.name,
        key: 'kind',
        rows: shown,
        columns,
        isMore: rows.length > shown.length,
        isOne: rows.length === 1,
      },
      options,
      masking,
      terminal,
    );
    if (rows.length === 0 && name !== undefined) throw noneOf(kind.name, name);
  } finally {
    await reading.close();
  }
}

/** A list that could not be read has no objects to show, and is not empty. */
function refuseUnread({ frozen }: Live, { name }: Kind, count: number): void {
  const unread = [...frozen].filter(([id]) => collectionParts(id)[1] === name || count === 0);
  if (unread.length === 0) return;
  throw new Problems(
    unread.map(([id, why]) =>
      problem(
        'asked/unread',
        `${collectionParts(id)[0] ?? 'the account'}: its ${name} cannot be read: ${why}`,
      ),
    ),
  );
}
