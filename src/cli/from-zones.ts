import { exportLive } from '../export/export-live.ts';
import { fromZones } from '../from/zone/from-zones.ts';
import { readDnscontrol } from '../from/zone/read-dnscontrol.ts';
import { readZoneFile, type Zone } from '../from/zone/read-zone-file.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { count } from '../report/count.ts';
import { type FromOptions, readForeign } from './from-file.ts';
import type { Run } from './host.ts';
import { scopeOf } from './open-account.ts';
import { showFrom } from './prove-from.ts';
import { terminalFor } from './terminal.ts';
import { leftText, writeFrom } from './write-from.ts';

/** Writes the zones of a dnscontrol configuration, as `dnscontrol print-ir` prints it. */
export async function fromDnscontrol(
  provider: Provider,
  file: string,
  options: FromOptions,
  run: Run,
): Promise<void> {
  const { zones, left } = readDnscontrol(await readForeign(file, run.host), file);
  await writeZones(provider, { zones, left, file }, options, run);
}

/** Writes the zone of a zone file. */
export async function fromZoneFile(
  provider: Provider,
  file: string,
  options: FromOptions,
  run: Run,
): Promise<void> {
  const zone = readZoneFile(await readForeign(file, run.host), file, options.zone);
  await writeZones(provider, { zones: [zone], left: [], file }, options, run);
}

interface Found {
  zones: Zone[];
  left: string[];
  file: string;
}

async function writeZones(
  provider: Provider,
  { zones, left, file }: Found,
  options: FromOptions,
  run: Run,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const scope = scopeOf({}, options);
  const found = fromZones(zones, await provider.foreignFiles(), kinds);
  const stays = [...left, ...found.left];
  if (found.owned.size === 0)
    throw new Problems([
      problem('from/nothing', `${file}: nothing in it can be converted`, {
        hint: stays[0] ?? 'it has no records',
      }),
    ]);
  const exported = exportLive({
    live: found.live,
    kinds,
    isChosen: (address) => found.owned.has(address),
  });
  const stack = options.stack ?? (zones.length === 1 ? zones[0]!.name.replaceAll('.', '-') : 'dns');
  const path = await writeFrom(exported, { stack, platform: { ...scope } }, kinds, { ...options }, terminal);
  const lines = [`${count(exported.count, 'record')} converted.`];
  terminal.err([...lines, ...leftText([...stays, ...exported.notes])].join('\n'));
  await showFrom(provider, path, options, terminal);
}
