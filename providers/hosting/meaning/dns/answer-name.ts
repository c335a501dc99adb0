/*
 * Answers questions to the DNS from declared records, as the platform's nameservers would, for tests of configurations.
 */
import type { Fields, NameAnswer, View, ViewedObject } from '#kind';
import { absoluteName, addressTypes, findName, membersOf, textOrUndefined, zonesOf } from './zones.ts';

/** The most CNAME records that are followed. */
const mostSteps = 10;

/**
 * Returns the records of a type that a name has in the state that a view shows. A CNAME is followed through the zones of the view. Records
 * of undeclared names are doubts.
 */
export function answerName(view: View, name: string, type: string): NameAnswer {
  const zones = zonesOf(view);
  let current = absoluteName(name.toLowerCase());
  for (let step = 0; step < mostSteps; step++) {
    const lookup = findName(zones, current);
    if (lookup.state === 'unknown')
      return {
        answer: [],
        doubts: [`${current} is in no zone of this configuration, or is delegated to other nameservers`],
      };
    const sets = lookup.state === 'records' ? lookup.sets : new Map<string, ViewedObject>();
    const set = sets.get(type);
    if (set) return answerOfSet(set, type);
    const cname = sets.get('CNAME');
    const target = textOrUndefined(membersOf(cname)[0]?.value);
    if (cname && target === undefined)
      return { answer: [], doubts: [`the target of ${cname.address} is not known`] };
    if (target !== undefined) {
      current = absoluteName(target);
      continue;
    }
    const { isWhole, name: zone, platformAnswers } = lookup.zone;
    const alias = addressTypes.includes(type) ? sets.get('ALIAS') : undefined;
    const doubts = [
      ...(alias ? [`${alias.address} gives it the addresses of another name`] : []),
      ...(isWhole
        ? []
        : [`${zone} may have records that are not declared: \`$exclusive: [records]\` would exclude them`]),
      ...(platformAnswers !== 'no' && addressTypes.includes(type)
        ? [`records of the platform itself may answer for names of ${zone} without records`]
        : []),
    ];
    return { answer: [], doubts };
  }
  return { answer: [], doubts: [`the CNAME records of ${name} do not end`] };
}

/** Returns the records of a set as sorted texts. A record with an unknown value becomes a doubt. */
function answerOfSet(set: ViewedObject, type: string): NameAnswer {
  const texts = membersOf(set).map((record) => recordText(type, record));
  return {
    answer: texts.flatMap((text) => text ?? []).sort(),
    doubts: texts.includes(undefined) ? [`a value of ${set.address} is not known`] : [],
  };
}

/** The types whose value is a host. */
const hostTypes = ['ALIAS', 'CNAME', 'MX', 'NS'];

/** Returns a record as a zone file writes it, without the dot behind hosts; undefined if a part of it is not known. */
function recordText(type: string, { value, mxPriority, srv, https }: Fields): string | undefined {
  const data = (srv ?? https) as Fields | undefined;
  if (data) {
    const { priority, weight, port, target, params } = data;
    const host = textOrUndefined(target);
    return host === undefined
      ? undefined
      : [priority, weight, port, withoutDot(host), params]
          .filter((part) => part !== undefined && part !== null)
          .join(' ');
  }
  const text = textOrUndefined(value);
  if (text === undefined) return undefined;
  const content = hostTypes.includes(type) ? withoutDot(text) : text;
  return type === 'MX' ? `${String(mxPriority)} ${content}` : content;
}

const withoutDot = (host: string): string => (host.length > 1 ? host.replace(/\.$/, '') : host);
