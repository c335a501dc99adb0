import { same } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { canonical } from '../model/digest.ts';
import type { LiveResource } from '../model/resource.ts';
import { isPlainObject, type Value } from '../model/value.ts';

/** A label for each object that has no name of its own, made of what identifies it; the ids decide among equal ones. */
export function labelsFor(kind: Kind, objects: LiveResource[]): Map<LiveResource, string> {
  const labels = new Map<LiveResource, string>();
  const used = new Set<string>();
  for (const one of [...objects].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const words = kind
      .identity!.flatMap((names) => names.map((name) => wordOf(one.fields[name])))
      .filter(Boolean);
    const base = words.slice(0, 2).join('-').slice(0, 60) || kind.section;
    let label = base;
    for (let count = 2; used.has(label); count++) label = `${base}-${count}`;
    used.add(label);
    labels.set(one, label);
  }
  return labels;
}

/** Text as a word of a label; what is secret, a list or nothing gives none. */
function wordOf(value: Value | undefined): string {
  if (isPlainObject(value))
    return Object.values(value)
      .map((item) => wordOf(item as Value))
      .join('-');
  if (typeof value !== 'string') return '';
  return value
    .replace(/^https?:\/\//, '')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Whether another object could be meant by the same block. */
export const hasTwin = (kind: Kind, one: LiveResource, all: LiveResource[]): boolean =>
  all.some((other) => other !== one && isTwin(kind, one, other));

const isTwin = (kind: Kind, one: LiveResource, other: LiveResource): boolean =>
  kind.identity!.some((names) => {
    const told = names.filter((name) => one.fields[name] != null);
    const [a, b] = [told.map((name) => one.fields[name]!), told.map((name) => other.fields[name] ?? null)];
    return (
      told.length > 0 &&
      (canonical(a) === canonical(b) ||
        told.every((name, index) => same(a[index], b[index], traitsOf(comparedFields(kind)[name]!))))
    );
  });
