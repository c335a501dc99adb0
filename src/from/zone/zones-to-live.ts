import type { ForeignFiles, ForeignObject } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import { normalTextOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { canonicalJson } from '../../model/digest.ts';
import type { Live } from '../../model/resource.ts';
import type { LeftOutItem } from '../tally.ts';
import { toLiveObjects } from '../to-live.ts';
import type { FoundRecord, Zone } from './read-zone-file.ts';

/** DNS zones as an account that has only their records. */
interface FromZones {
  live: Live;
  /** The addresses of the records. The domains that contain them are only mentioned. */
  owned: ReadonlySet<Address>;
  /** The number of records in the zones. */
  read: number;
  leftOut: LeftOutItem[];
}

/**
 * Converts the records of zones to live objects, so that they can be exported as a configuration. A record
 * that appears twice, also in another spelling, is converted once. Returns the reasons why other records are
 * left out, and the number of records that were read, which the report of `trueup from` compares.
 */
export function zonesToLive(zones: readonly Zone[], files: ForeignFiles, kinds: Kinds): FromZones {
  const readZones = zones.map((zone) => readZoneRecords(zone, files, kinds));
  const objects = readZones.flatMap(({ zone, records }) => (records.length === 0 ? [] : [zone, ...records]));
  const { live, sources, leftOut: unconverted } = toLiveObjects(objects, kinds);
  const leftOut = [
    ...readZones.flatMap((readZone) => readZone.leftOut),
    ...unconverted.map(({ object, why }) => ({ name: String(object.object.name), reason: why, count: 1 })),
  ];
  const read = zones.reduce((sum, { records }) => sum + records.length, 0);
  return { live, owned: new Set(sources.keys()), read, leftOut };
}

/**
 * Reads the records of a zone as objects of the platform, each once, with the object of the zone itself. `leftOut` has the records that
 * cannot be read or appear twice, with reasons.
 */
function readZoneRecords(
  { name, records }: Zone,
  files: ForeignFiles,
  kinds: Kinds,
): { zone: ForeignObject; records: ForeignObject[]; leftOut: LeftOutItem[] } {
  const zone = files.zone(name);
  const objects: ForeignObject[] = [];
  const leftOut: LeftOutItem[] = [];
  const meanings = new Set<string>();
  for (const [index, record] of records.entries()) {
    const leave = (reason: string) => leftOut.push({ name: describeRecord(name, record), reason, count: 1 });
    const object =
      record.why === undefined ? files.record(name, record, `${name}/${index}`) : { why: record.why };
    if ('why' in object) {
      leave(object.why);
      continue;
    }
    const meaning = canonicalTextOf(object, zone, kinds);
    if (meanings.has(meaning)) leave('it appears twice');
    else objects.push(object);
    meanings.add(meaning);
  }
  return { zone, records: objects, leftOut };
}

/** Returns a record for messages: its zone, name, type and line. */
const describeRecord = (zone: string, { name, type, line }: FoundRecord): string =>
  `${zone}: ${[name, type].filter((part) => part !== '').join(' ')}${line > 0 ? `, line ${line}` : ''}`;

/** Returns the normal spelling of a zone's name, so that names can be compared: `MÜNCHEN.example.` is `xn--mnchen-3ya.example`. */
export function normalZoneName(name: string, files: ForeignFiles, kinds: Kinds): string {
  // The field that has a zone's name on the platform says how that is spelled.
  const { kind, object } = files.zone(name);
  const { key, fields } = kinds.get(kind)!;
  const [nameField = ''] = key;
  const zoneName = String(object[nameField] ?? name);
  const normalize = normalTextOf(fields[nameField]!);
  return normalize?.(zoneName) ?? zoneName;
}

/**
 * Returns a text that is equal for different spellings of one DNS record, so that `trueup from` converts a record once and reports its
 * repetitions. The TTL does not count, since records with one name and type share it.
 */
function canonicalTextOf(record: ForeignObject, zone: ForeignObject, kinds: Kinds): string {
  const { ttl: _, ...object } = record.object;
  const { live, sources } = toLiveObjects([zone, { ...record, object }], kinds);
  return canonicalJson([...sources.keys()].map((address) => [address, live.resources.get(address)!.fields]));
}
