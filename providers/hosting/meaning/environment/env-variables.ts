/*
 * Variables, as the checks of the environment look at them. A variable has places: targets, branches or custom environments. In a view it
 * is one object for each place, a unit (`projects/web/env/API_URL@production`), because each place can have a value of its own.
 */
import { type Fields, groupBy, isRef, type View, type ViewedObject } from '#kind';

/** One variable: its name in one project, or in the team. */
export interface Variable {
  name: string;
  /** The project; undefined for a variable of the team. */
  project: string | undefined;
  /** Its objects, one for each place: `byPlace` says in which order. At least one. */
  units: readonly ViewedObject[];
}

/** A variable with a public prefix, and those of its units whose value browsers get. */
export interface PublicVariable extends Variable {
  prefix: string;
}

/** Returns the variables of all projects and of the team. Used by checks that report a variable once instead of once for each unit. */
export function variablesIn(view: View): Variable[] {
  const units = ['projectEnvVar', 'sharedEnvVar']
    .flatMap((kind) => view.ofKind(kind))
    .filter(({ fields }) => typeof fields.key === 'string');
  const groups = groupBy(units, ({ parent = '', fields }) => `${parent}\n${fields.key}`);
  return [...groups.values()].map((unitsOfVariable) => {
    const { parent, fields } = unitsOfVariable[0]!;
    return { name: fields.key as string, project: parent, units: unitsOfVariable.sort(byPlace) };
  });
}

/** The targets that every project has, in the order in which messages name them. */
const usualTargets = ['production', 'preview', 'development'];

/**
 * Compares two units of a variable. The order must not depend on the view, because a finding is about the first unit that fits: the account
 * lists units in another order than the configuration, so the same finding would have another address after an apply.
 */
function byPlace(a: ViewedObject, b: ViewedObject): number {
  const rankOf = ({ fields }: ViewedObject) => {
    const rank = usualTargets.indexOf(String(fields.target));
    return rank === -1 ? usualTargets.length : rank;
  };
  return rankOf(a) - rankOf(b) || (a.address < b.address ? -1 : 1);
}

/** Returns a variable in words for a message: `API_URL of projects/web`. */
export const describeVariable = ({ name, project }: Variable): string =>
  project === undefined ? `the shared variable ${name}` : `${name} of ${project}`;

/**
 * Returns the address of a unit with the same name and place in a project. Used to find the variable of a project that hides one of the
 * team. `address`: of the unit of the team's variable.
 */
export const addressInProject = (project: string, address: string): string =>
  `${project}/env/${address.slice(address.lastIndexOf('/') + 1)}`;

/** Returns the projects that a team's variable is linked to, as far as its own fields tell. */
export const linkedProjects = (fields: Fields = {}): string[] =>
  Array.isArray(fields.projectId) ? fields.projectId.flatMap((link) => (isRef(link) ? link.$ref : [])) : [];

/** True if a unit of a variable is kept secret, so that its value can never be read again. */
export const isSecretVariable = ({ fields: { type, visibility } }: ViewedObject): boolean =>
  type === 'sensitive' || visibility === 'secret';
