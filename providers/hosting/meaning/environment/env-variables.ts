/*
 * Variables, as the checks of the environment look at them. In a view, a variable is one object for each of its places (a target, a branch or a custom
 * environment), because each place can have a value of its own.
 */
import { type Fields, groupBy, isRef, type View, type ViewedObject } from '#kind';

/** One variable: its name in one project, or in the team. */
export interface Variable {
  name: string;
  /** The project; undefined for a variable of the team. */
  project: string | undefined;
  /** The objects of its places, in the order of the view. At least one. */
  places: readonly ViewedObject[];
}

/** A variable with a public prefix, and those of its places whose value browsers get. */
export interface PublicVariable extends Variable {
  prefix: string;
}

/** Returns the variables of all projects and of the team. Used by checks that report a variable once instead of once for each place. */
export function variablesIn(view: View): Variable[] {
  const objects = [...view.ofKind('projectEnvVar'), ...view.ofKind('sharedEnvVar')];
  const named = objects.filter(({ fields }) => typeof fields.key === 'string');
  const groups = groupBy(named, ({ parent = '', fields }) => `${parent}\n${fields.key}`);
  return [...groups.values()].map((places) => ({
    name: String(places[0]!.fields.key),
    project: places[0]!.parent,
    places,
  }));
}

/** Returns a variable in words for a message: `API_URL of projects/web`. */
export const describeVariable = ({ name, project }: Variable): string =>
  project === undefined ? `the shared variable ${name}` : `${name} of ${project}`;

/** Returns the projects that a team's variable is linked to, as far as its own fields tell. */
export const linkedProjects = (fields: Fields = {}): string[] =>
  Array.isArray(fields.projectId) ? fields.projectId.flatMap((link) => (isRef(link) ? link.$ref : [])) : [];

/** True if a variable in a place is kept secret, so that nobody can read it again. */
export const isSecretVariable = ({ fields: { type, visibility } }: ViewedObject): boolean =>
  type === 'sensitive' || visibility === 'secret';
