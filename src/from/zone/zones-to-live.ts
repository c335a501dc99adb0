import type { ForeignFiles, ForeignObject } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import { normalTextOf } from '../../kind/traits.ts';
import type { Address } from '../../model/address.ts';
import { canonical } from '../../model/canonical.ts';
import type { Live } from '../../model/resource.ts';
import type { LeftOutItem } from '../tally.ts';
import { toLiveObjects } from '../to-live.ts';
import type { Zone } from './read-zone-file.ts';

/** Zones as an account that has only their records. */
interface FromZones {
  live: Live;
  /** The sets of records; the domains that they are in are only named. */
  owned: ReadonlySet<Address>;
  /** The number of records in the zones. */
  read: number;
  leftOut: LeftOutItem[];
}

/** Places the records of zones in an account, each once, and says why the others are left out. */
export function zonesToLive(zones: readonly Zone[], files: ForeignFiles, kinds: Kinds): FromZones {
  const leftOut: LeftOutItem[] = [];
  const objects = zones.flatMap(({ name: zone, records }): ForeignObject[] => {
    const seen = new Set<string>();
    const converted = records.flatMap((record, index) => {
      const object =
        record.why === undefined ? files.record(zone, record, `${zone}/${index}`) : { why: record.why };
      const meaning = 'why' in object ? undefined : recordMeaningOf(object, files.zone(zone), kinds);
      const why = 'why' in object ? object.why : seen.has(meaning!) ? 'it appears twice' : undefined;
      if (why === undefined) {
        seen.add(meaning!);
        return [object as ForeignObject];
      }
      const line = record.line > 0 ? `, line ${record.line}` : '';
      const what = `${zone}: ${[record.name, record.type].filter((part) => part !== '').join(' ')}${line}`;
      leftOut.push({ name: what, reason: why, count: 1 });
      return [];
    });
    return converted.length === 0 ? [] : [files.zone(zone), ...converted];
  });
  const { live, sources, leftOut: left } = toLiveObjects(objects, kinds);
  leftOut.push(
    ...left.map(({ object, why }) => ({ name: String(object.object.name), reason: why, count: 1 })),
  );
  const read = zones.reduce((sum, { records }) => sum + records.length, 0);
  return { live, owned: new Set(sources.keys()), read, leftOut };
}

/** Returns the one spelling of a zone's name, as the kind of the zone has it: `MÜNCHEN.example.` is `xn--mnchen-3ya.example`. */
export function normalZoneName(name: string, files: ForeignFiles, kinds: Kinds): string {
  const { kind, object } = files.zone(name);
  const { key, fields } = kinds.get(kind)!;
  const [field = ''] = key;
  const written = String(object[field] ?? name);
  return normalTextOf(fields[field]!)?.(written) ?? written;
}

/** The content of a record in normal form, without its TTL: two spellings of one record have the same text. */
function recordMeaningOf(record: ForeignObject, zone: ForeignObject, kinds: Kinds): string {
  const { ttl: _, ...object } = record.object;
  const { live, sources } = toLiveObjects([zone, { ...record, object }], kinds);
  return canonical([...sources.keys()].map((address) => [address, live.resources.get(address)!.fields]));
}
