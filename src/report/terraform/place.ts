import { type Address, unescapeName } from '../../model/address.ts';

/** Where a resource stands in Terraform's world. */
export interface Place {
  address: string;
  type: string;
  name: string;
  index: string;
}

/**
 * The Terraform address of a resource: `trueup_project_env_var.web["projects/web/env/LOG_LEVEL@production"]`.
 *
 * - The type is `trueup_` and the kind in snake case, for policies that go by `type`.
 * - The name is that of the project, the domain, ... at the root of our address, written as an identifier: a policy can take all
 *   of one project by `name`. Names that are written alike fall together, which is why it does not identify alone.
 * - The index is our whole address, always: so it is unique, depends on nothing else in the plan, and leads back to ours.
 */
export function placeOf(kind: string, address: Address): Place {
  const [section, root = section!] = address.split('/');
  const type = `trueup_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const name = unescapeName(root)
    .replace(/[^\w-]/g, '_')
    .replace(/^(?![a-z_])/i, '_');
  return { address: `${type}.${name}[${JSON.stringify(address)}]`, type, name, index: address };
}
