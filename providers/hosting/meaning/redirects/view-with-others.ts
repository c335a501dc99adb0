/**
 * The redirects of a plan together with those of the other stacks of its workspace: two stacks can each add one half of a circle, and
 * neither plan alone shows it.
 */
import { type Address, addTo, type View, type ViewedObject } from '#kind';
import { redirectsToHosts } from './check-unserved.ts';
import { hostOf, servedHostKinds } from './index-redirects.ts';

const redirectKinds = [...servedHostKinds, 'bulkRedirects', 'projectRoute', 'microfrontendsProject'];

/**
 * Returns the view after a plan with the redirects and hosts that other stacks declare; undefined for other views, and if no redirect of
 * the view leads to a host that only another stack serves, since there is no circle between them then.
 */
export function viewWithOthers(view: View): View | undefined {
  if (view.before === undefined || typeof view.besides !== 'object') return undefined;
  const addedObjects = new Map<Address, ViewedObject>();
  for (const otherView of view.besides)
    for (const object of redirectKinds.flatMap((kind) => otherView.ofKind(kind)))
      if (canAdd(view, object)) addedObjects.set(object.address, object);
  const hosts = new Set([...addedObjects.values()].map(hostOf));
  const leadsThere = [...redirectsToHosts(view)].some(({ host }) => hosts.has(host));
  return leadsThere ? withObjects(view, addedObjects) : undefined;
}

/** The kinds whose objects depend on the order of all objects of their project. */
const orderedKinds: ReadonlySet<string> = new Set(['projectRoute']);

/** True for an object that the view lacks. Routes only count if the view has none of their project, because their order decides. */
const canAdd = (view: View, { address, kind, parent }: ViewedObject): boolean =>
  view.at(address) === undefined &&
  parent !== undefined &&
  (!orderedKinds.has(kind) || view.under(parent, kind).length === 0);

function withObjects(view: View, added: ReadonlyMap<Address, ViewedObject>): View {
  const byKind = new Map<string, ViewedObject[]>();
  const byCollection = new Map<string, ViewedObject[]>();
  for (const object of added.values()) {
    addTo(byKind, object.kind, object);
    addTo(byCollection, `${object.parent} ${object.kind}`, object);
  }
  return {
    ...view,
    ofKind: (kind) => [...view.ofKind(kind), ...(byKind.get(kind) ?? [])],
    under: (parent, kind) => [...view.under(parent, kind), ...(byCollection.get(`${parent} ${kind}`) ?? [])],
    at: (address) => view.at(address) ?? added.get(address),
  };
}
