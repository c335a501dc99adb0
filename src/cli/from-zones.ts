import { chooseScope } from '../app/session/open-account.ts';
import { exportLive } from '../export/export-live.ts';
import { checkTally, type LeftOut } from '../from/left-out.ts';
import { fromZones, normalZoneName } from '../from/zone/from-zones.ts';
import { readDnscontrol } from '../from/zone/read-dnscontrol.ts';
import { readZoneFile, type Zone } from '../from/zone/read-zone-file.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import type { CommandRun } from './command-run.ts';
import { type FromOptions, readForeign } from './from-file.ts';
import { incompleteText, leftOutText, leftText, showFrom, tallyText, writeFrom } from './from-result.ts';
import { terminalFor } from './terminal.ts';

/** Writes the zones of a dnscontrol configuration, as `dnscontrol print-ir` prints it. */
export async function fromDnscontrol(
  provider: Provider,
  file: string,
  options: FromOptions,
  run: CommandRun,
): Promise<void> {
  const normalName = await zoneNamesOf(provider);
  const text = await readForeign(file, run.host);
  const { zones, leftOut } = readDnscontrol(text, file, { views: options.view, normalName });
  await writeZones(provider, { zones, leftOut, file }, options, run);
}

/** Writes the zone of a zone file. */
export async function fromZoneFile(
  provider: Provider,
  file: string,
  options: FromOptions,
  run: CommandRun,
): Promise<void> {
  const normalName = await zoneNamesOf(provider);
  const zone = readZoneFile(await readForeign(file, run.host), file, { zone: options.zone, normalName });
  await writeZones(provider, { zones: [zone], leftOut: [], file }, options, run);
}

/** Returns the function that gives a zone's name its one spelling. */
async function zoneNamesOf(provider: Provider): Promise<(name: string) => string> {
  const [files, kinds] = [await provider.foreignFiles(), kindsOf(provider.kinds)];
  return (name) => normalZoneName(name, files, kinds);
}

/** The zones of a file, and what its reader left out. */
interface ZoneFile {
  zones: Zone[];
  leftOut: LeftOut[];
  file: string;
}

async function writeZones(
  provider: Provider,
  { zones, leftOut, file }: ZoneFile,
  options: FromOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const kinds = kindsOf(provider.kinds);
  const scope = chooseScope({}, options);
  const found = fromZones(zones, await provider.foreignFiles(), kinds);
  const stays = [...leftOut, ...found.leftOut];
  if (found.owned.size === 0)
    throw new Problems('from/nothing', `${file}: nothing in it can be converted`, {
      hint: stays[0] ? leftOutText(stays[0]) : 'it has no records',
    });
  const exported = exportLive({
    live: found.live,
    kinds,
    isChosen: (address) => found.owned.has(address),
    writesUsualValues: () => true,
  });
  const leftOuts = [...stays, ...exported.notes.map((note) => ({ what: '', why: note, count: 1 }))];
  const read = found.read + leftOut.reduce((sum, { count }) => sum + count, 0);
  const tally = { read, converted: exported.count, leftOut: leftOuts };
  checkTally(tally, file);
  const stack = options.stack ?? (zones.length === 1 ? zones[0]!.name.replaceAll('.', '-') : 'dns');
  const path = await writeFrom(exported, { stack, platform: { ...scope } }, kinds, { ...options }, terminal);
  const lines = [
    ...leftText(leftOuts.map(leftOutText)),
    ...incompleteText(exported.incomplete),
    tallyText(tally, 'record'),
  ];
  terminal.say(lines.join('\n'));
  await showFrom(provider, path, options, terminal);
}
