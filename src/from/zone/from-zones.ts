import type { ForeignFiles, ForeignObject } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Live } from '../../model/resource.ts';
import { toLive } from '../to-live.ts';
import type { Zone } from './read-zone-file.ts';

/** Zones as an account that has only their records. */
interface FromZones {
  live: Live;
  /** The sets of records; the domains that they are in are only named. */
  owned: ReadonlySet<Address>;
  /** The parts that are not taken over, in sentences. */
  left: string[];
}

/** Takes over the records of zones, each once, and tells what stays behind. */
export function fromZones(zones: readonly Zone[], files: ForeignFiles, kinds: Kinds): FromZones {
  const left: string[] = [];
  const objects = zones.flatMap(({ name: zone, records }): ForeignObject[] => {
    const known = new Set<string>();
    const made = records.flatMap((record, index) => {
      const { name, type, data, line } = record;
      const told = `${zone}: ${name} ${type}${line > 0 ? `, line ${line}` : ''}`;
      const object = files.record(zone, record, `${zone}/${index}`);
      if ('why' in object) {
        left.push(`${told}: ${object.why}`);
        return [];
      }
      const text = JSON.stringify([name, type, data]);
      if (known.has(text)) {
        left.push(`${told}: it appears twice`);
        return [];
      }
      known.add(text);
      return [object];
    });
    return made.length === 0 ? [] : [files.zone(zone), ...made];
  });
  const { live, sources } = toLive(objects, kinds);
  return { live, owned: new Set(sources.keys()), left };
}
