import type { UnansweredName, View, ViewedObject } from '#kind';
import { addressTypes, findName, membersOf, ownerOf, type Zone, zonesOf } from '../dns/zones.ts';

/** The record sets of a name that answer the same question. All sets that lead to an address answer one question together. */
interface NameSets {
  name: string;
  sets: ViewedObject[];
}

/**
 * Returns the DNS names that have records before and after an apply but none in a state on the way, such as a name whose CNAME is deleted
 * before its A record is created. A wildcard that answers for the name in the meantime counts as an answer.
 */
export function findUnanswered(way: readonly View[]): UnansweredName[] {
  const [firstView, lastView] = [way[0], way.at(-1)];
  if (!firstView || !lastView) return [];
  const last = setsByQuestion(lastView, zonesOf(lastView));
  const lastingQuestions = [...setsByQuestion(firstView, zonesOf(firstView))].flatMap(
    ([question, { name, sets }]) => {
      const setsAfter = last.get(question)?.sets;
      return setsAfter ? [{ question, name, sets, setsAfter }] : [];
    },
  );
  // A way has a state for each request, so states are indexed only if a name can be missing in one.
  if (lastingQuestions.length === 0) return [];
  const states = way.map((view) => {
    const zones = zonesOf(view);
    return { zones, answered: setsByQuestion(view, zones) };
  });
  return lastingQuestions.flatMap(({ question, name, sets, setsAfter }): UnansweredName[] => {
    const types = [...new Set([...sets, ...setsAfter].map(({ fields }) => String(fields.type)))];
    const state = states.findIndex(
      ({ zones, answered }) => !answered.has(question) && !mayBeAnswered(zones, name, types),
    );
    if (state < 0) return [];
    const rules = [...new Set([...sets, ...setsAfter].map(({ address }) => address))];
    return [{ name, type: types.join(' or '), state, rules }];
  });
}

/** True if a name has records of one of these types, such as those of a wildcard, or if its zone is not among these zones. */
function mayBeAnswered(zones: ReadonlyMap<string, Zone>, name: string, types: readonly string[]): boolean {
  const lookup = findName(zones, name);
  return (
    lookup.state === 'unknown' || (lookup.state === 'records' && types.some((type) => lookup.sets.has(type)))
  );
}

/** Returns the record sets of a view by the DNS question that they answer. `zones`: those of the view. */
function setsByQuestion(view: View, zones: ReadonlyMap<string, Zone>): Map<string, NameSets> {
  const byQuestion = new Map<string, NameSets>();
  for (const [zone, { domain }] of zones)
    for (const set of view.under(domain.address, 'dnsRecord')) {
      const name = ownerOf(set, zone);
      if (name === undefined || membersOf(set).length === 0) continue;
      const type = String(set.fields.type);
      const question = `${name} ${addressTypes.includes(type) ? 'address' : type}`;
      const named = byQuestion.get(question) ?? { name, sets: [] };
      named.sets.push(set);
      byQuestion.set(question, named);
    }
  return byQuestion;
}
