import { chooseScope } from '../../config/choose-scope.ts';
import { exportLive } from '../../export/export-live.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { raise } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { collectionId, type LiveResource } from '../../model/resource.ts';
import {
  type Conversion,
  type ConversionOptions,
  type ForeignFile,
  nothingToConvertProblem,
} from '../conversion.ts';
import { formatLeftOut, formatZoneReport } from '../conversion-texts.ts';
import { checkTally, countItems, type LeftOutItem } from '../tally.ts';
import { readDnscontrol } from './read-dnscontrol.ts';
import { readZoneFile, type Zone } from './read-zone-file.ts';
import { normalZoneName, zonesToLive } from './zones-to-live.ts';

/**
 * Converts the zones of a dnscontrol configuration (the output of `dnscontrol print-ir`), for `trueup from
 * dnscontrol`. Throws `Problems` for another file, if a view has to be chosen, or if no record can be
 * converted.
 */
export async function convertDnscontrol(
  provider: Provider,
  { file, text }: ForeignFile,
  options: ConversionOptions,
): Promise<Conversion> {
  const normalName = await zoneNameNormalizer(provider);
  const { zones, leftOut } = readDnscontrol(text, file, { chosenViews: options.view, normalName });
  return convertZones(provider, { zones, leftOut, file }, options);
}

/**
 * Converts the records of a BIND zone file to a configuration, for `trueup from zonefile`. Throws `Problems`
 * if the file has mistakes, if its zone is unknown, or if no record can be converted.
 */
export async function convertZoneFile(
  provider: Provider,
  { file, text }: ForeignFile,
  options: ConversionOptions,
): Promise<Conversion> {
  const normalName = await zoneNameNormalizer(provider);
  const zone = readZoneFile(text, file, { zone: options.zone, normalName });
  return convertZones(provider, { zones: [zone], leftOut: [], file }, options);
}

/**
 * Returns a function which spells the name of a zone as the platform does (`xn--mnchen-3ya.example` for
 * `MÜNCHEN.example.`), so that the readers of zone files can compare names.
 */
async function zoneNameNormalizer(provider: Provider): Promise<(name: string) => string> {
  const files = await provider.foreignFiles();
  const kinds = kindsOf(provider.kinds);
  return (name) => normalZoneName(name, files, kinds);
}

/** The zones in a file, and the things that its reader could not read. */
interface ReadZones {
  zones: Zone[];
  leftOut: LeftOutItem[];
  file: string;
}

/**
 * Makes a configuration of DNS zones for `trueup from dnscontrol` and `from zonefile`. Checks that each record was converted or is in the
 * report. Throws `Problems`.
 */
async function convertZones(
  provider: Provider,
  { zones, leftOut, file }: ReadZones,
  options: ConversionOptions,
): Promise<Conversion> {
  const kinds = kindsOf(provider.kinds);
  const platform = { ...chooseScope({}, options) };
  const converted = zonesToLive(zones, await provider.foreignFiles(), kinds);
  const unconverted = [...leftOut, ...converted.leftOut];
  if (converted.owned.size === 0)
    raise(
      nothingToConvertProblem(file, unconverted[0] ? formatLeftOut(unconverted[0]) : 'it has no records'),
    );
  const exported = exportLive({
    live: converted.live,
    kinds,
    isChosen: (address) => converted.owned.has(address),
    writesUsualValues: () => true,
  });
  const unexported = exported.notes.map((note) => ({ name: '', reason: note, count: 1 }));
  const tally = {
    read: converted.read + countItems(leftOut),
    converted: exported.count,
    leftOut: [...unconverted, ...unexported],
  };
  checkTally(tally, file);
  const stack = options.stack ?? (zones.length === 1 ? zones[0]!.name.replaceAll('.', '-') : 'dns');
  const resources = [...converted.live.resources.values()].filter(({ address }) =>
    exported.converted.has(address),
  );
  const summary = formatZoneReport(exported, tally, findRecordClashes(resources, kinds));
  return { exported, header: { stack, platform }, kinds, summary };
}

/**
 * Returns the findings of `trueup plan` about converted records that the platform does not allow together, such as a CNAME beside a TXT
 * record. The report of the conversion shows them, so that a user corrects them before the first plan.
 */
function findRecordClashes(resources: LiveResource[], kinds: Kinds): string[] {
  const siblings = groupBy(resources, ({ kind, parent }) => collectionId(kind, parent));
  return [...siblings.values()]
    .flatMap((records) => {
      const { kind, parent } = records[0]!;
      return kinds.get(kind)!.rules.clashes?.(records, { parent, objectsOf: () => [] }) ?? [];
    })
    .map(({ message, hint }) => `${message}: ${hint}`);
}
