import { type Address, addTo, type Check, canonicalJson, type Finding, type View } from '#kind';
import { destinationField, mostRelated, wayText } from './describe-redirects.ts';
import { type EndlessWay, mostRedirects, RedirectFollower, type Step } from './follow-redirects.ts';
import { indexRedirects } from './index-redirects.ts';
import { urlOf } from './next-hop.ts';
import { type SampleVisit, sampleVisits } from './sample-visits.ts';
import { viewWithOthers } from './view-with-others.ts';

/** An endless way, with the redirects that lead into it. */
interface Trap extends EndlessWay {
  entrances: Address[];
}

/**
 * Finds redirects whose requests never end (an error, because no visitor ever sees a page), and redirects that take several steps to a
 * known end (a note, because each step costs visitors a round trip).
 */
export const redirectLoops: Check = {
  codes: ['redirect/loop', 'redirect/chain'],
  *find(view) {
    const { traps, chains, follower } = followAll(view);
    for (const trap of traps) yield trapFinding(trap, view);
    for (const [last, samples] of chains) yield chainFinding(samples, last, { follower, view });
    const joint = viewWithOthers(view);
    if (!joint) return;
    for (const trap of followAll(joint).traps)
      if (isJointCause(redirectsIn(trap.steps), view)) yield trapFinding(trap, joint);
  },
};

/** Follows one request for each redirect of a view, and returns the endless ways and, by their last redirects, the long ones. */
function followAll(view: View) {
  const index = indexRedirects(view);
  const follower = new RedirectFollower(index);
  const traps = new Map<Address, Trap>();
  const chains = new Map<string, SampleVisit[]>();
  for (const sample of sampleVisits(index))
    if (follower.isEndless(sample.visit)) addTrap(traps, sample, follower);
    else addChain(chains, sample, follower);
  return { traps: new Set(traps.values()), chains, follower };
}

/**
 * True if a circle takes a redirect of another stack, and one that the plan of the view changes. A circle without the latter exists
 * already, or is the matter of the other plan.
 */
const isJointCause = (redirects: readonly Address[], view: View): boolean =>
  redirects.some((address) => view.at(address) === undefined) &&
  redirects.some((address) => {
    const after = view.at(address);
    const before = view.before?.at(address);
    return after !== undefined && canonicalJson(after.fields) !== canonicalJson(before?.fields);
  });

const redirectsIn = (steps: readonly Step[]): Address[] => [...new Set(steps.flatMap(({ by }) => by ?? []))];

/**
 * Adds the circle that an endless request ends in, unless one of its redirects is in a circle that was found before: one cause is one
 * finding.
 */
function addTrap(traps: Map<Address, Trap>, { visit, by }: SampleVisit, follower: RedirectFollower): void {
  if (traps.has(by)) return;
  const endlessWay = follower.endlessWay(visit);
  const redirects = redirectsIn(endlessWay.steps);
  const knownTrap = redirects.map((address) => traps.get(address)).find((trap) => trap !== undefined);
  const trap = knownTrap ?? { ...endlessWay, entrances: [] };
  for (const address of redirects) if (!traps.has(address)) traps.set(address, trap);
  if (!traps.has(by)) trap.entrances.push(by);
}

/** Adds the redirect of a request to those with the same last redirect, if the request takes more than one. */
function addChain(chains: Map<string, SampleVisit[]>, sample: SampleVisit, follower: RedirectFollower): void {
  const { hops = 0, last } = follower.certainWay(sample.visit) ?? {};
  if (hops < 2 || follower.firstRedirect(sample.visit) !== sample.by) return;
  // The platform itself redirects from HTTP to HTTPS.
  addTo(chains, last!.by ?? `http ${sample.visit.project}`, sample);
}

function trapFinding(trap: Trap, view: View): Finding {
  const { type, steps, next, entrances } = trap;
  const redirects = redirectsIn(steps).sort();
  if (type === 'long') return longFinding(steps, view);
  const address = redirects[0]!;
  const start = type === 'circle' ? steps.findIndex(({ by }) => by === address) : 0;
  const ordered = [...steps.slice(start), ...steps.slice(0, start)];
  const urls = ordered.map(({ visit }) => urlOf(visit));
  const isSelf = type === 'circle' && urls.length === 1;
  const urlChain = wayText([...urls, ...(type === 'circle' ? [urls[0]!] : [urlOf(next), '…'])]);
  return {
    code: 'redirect/loop',
    severity: 'error',
    message: isSelf
      ? `${urls[0]} redirects to itself, so no request for it ever ends`
      : type === 'growing'
        ? `the destination matches the source again: ${urlChain}, so no request for it ever ends`
        : `these redirects lead in a circle: ${urlChain}, so no request for them ever ends`,
    hint:
      redirects.length === 1
        ? 'remove the redirect, or change its destination'
        : 'remove one of the redirects, or change its destination',
    address,
    path: destinationField(address, view),
    related: placesOf(
      [
        ...redirects.slice(1).map((other) => ({ message: 'another redirect of the circle', address: other })),
        ...entrances.map((other) => ({ message: 'leads into the circle', address: other })),
      ],
      address,
      view,
    ),
    subject: identify(redirects),
  };
}

/** Returns the finding for redirects that come to an end after browsers give up. */
function longFinding(steps: readonly Step[], view: View): Finding {
  const redirects = redirectsIn(steps);
  const address = redirects[0]!;
  return {
    code: 'redirect/chain',
    severity: 'error',
    message: `a request for ${urlOf(steps[0]!.visit)} takes more than ${mostRedirects} redirects, and browsers give up before its end`,
    hint: 'redirect to the last destination at once',
    address,
    path: destinationField(address, view),
    related: placesOf(
      redirects.map((other) => ({ message: 'the next redirect', address: other })),
      address,
      view,
    ),
    subject: identify(redirects),
  };
}

/** Returns the finding for redirects that lead by several steps to the same last redirect. */
function chainFinding(
  samples: readonly SampleVisit[],
  last: string,
  { follower, view }: { follower: RedirectFollower; view: View },
): Finding {
  const [sample] = samples as [SampleVisit];
  const end = follower.certainWay(sample.visit)!.end!;
  const steps = follower.stepsOf(sample.visit);
  const urlChain = wayText([...steps.map(({ visit }) => urlOf(visit)), end]);
  const otherCount = samples.length - 1;
  const more =
    otherCount === 0
      ? ''
      : `, and ${otherCount} more ${otherCount === 1 ? 'redirect leads' : 'redirects lead'} the same way`;
  const path = destinationField(sample.by, view);
  const target = path === 'redirect' ? end.replace(/^https:\/\/([^/]+)\/$/, '$1') : end;
  return {
    code: 'redirect/chain',
    severity: 'note',
    message: `visitors are redirected ${steps.length} times: ${urlChain}${more}; each redirect costs them a round trip`,
    hint:
      steps.at(-1)!.by === undefined
        ? 'write `https://` in the destination'
        : `redirect to ${target} at once`,
    address: sample.by,
    path,
    related: placesOf(
      [
        ...redirectsIn(steps).map((address) => ({ message: 'the next redirect', address })),
        ...samples.map(({ by }) => ({ message: 'leads the same way', address: by })),
      ],
      sample.by,
      view,
    ),
    subject: last,
  };
}

/** Returns a text that is equal for the same redirects before and after a plan. */
const identify = (redirects: readonly Address[]): string =>
  [redirects.length, ...redirects.slice(0, 5)].join(' ');

/** Returns places for a finding about an object, each object once, with the fields of their destinations. */
function placesOf(
  places: readonly { message: string; address: Address }[],
  subject: Address,
  view: View,
): Finding['related'] {
  const first = new Map<Address, { message: string; address: Address }>();
  for (const relatedObject of places)
    if (relatedObject.address !== subject && !first.has(relatedObject.address) && first.size < mostRelated)
      first.set(relatedObject.address, relatedObject);
  return [...first.values()].map((place) => ({ ...place, path: destinationField(place.address, view) }));
}
