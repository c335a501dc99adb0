import type { Address } from '../../model/address.ts';
import type { Position } from '../../model/diagnostic.ts';
import { namesIn } from '../../model/value.ts';
import { type Entry, entryOf, type Node } from '../yaml/nodes.ts';
import type { ReadBlock } from './block.ts';

/**
 * Finds the lines that write fields of resources, by dotted paths: the entry of the field, or of the part of it that the YAML
 * names. Undefined for what the YAML does not name, as a default. Asked once all is read, since the line is quoted at once.
 */
export function fieldPlaces(blocks: ReadBlock[]): (address: Address, path: string) => Position | undefined {
  let byAddress: Map<Address, ReadBlock> | undefined;
  return (address, path) => {
    byAddress ??= new Map(blocks.flatMap((one) => one.units.map((unit) => [unit.address, one] as const)));
    const names = namesIn(path);
    let entry = byAddress.get(address)?.block.own.find(({ key }) => key.text === names[0]);
    for (const name of names.slice(1)) entry = (entry && within(entry.value, name)) ?? entry;
    return entry && placeOf(entry);
  };
}

const within = (node: Node, name: string): Entry | undefined =>
  node.type === 'map' ? entryOf(node, name) : undefined;

/** From the key to the end of the value, where both stand in one line. */
function placeOf({ key, value }: Entry): Position {
  const { source, start, end } = key.at;
  return source.quotedPosition(start, value.at.source === source ? Math.max(end, value.at.end) : end);
}
