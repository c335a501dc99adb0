/*
 * The last line of `trueup from`, which plans the converted configuration to check it: does the account have what the file says?
 */
import type { Plan } from '../model/plan.ts';
import { summarizePlan } from './plan-notes.ts';
import { countPlannedRequests } from './request-text.ts';
import { count } from './text.ts';

/**
 * Formats the result of `trueup from` if a plan of the new configuration sends nothing: it is correct. Contains the number of existing
 * objects that the first apply adopts.
 */
export function formatVerified(plan: Plan): string {
  const { adopt } = summarizePlan(plan);
  if (adopt === 0) return 'Verified: its plan sends nothing. All of it was already applied from here.';
  const [verb, pronoun] = adopt === 1 ? ['is', 'it'] : ['are', 'them'];
  return `Verified: its plan sends nothing. ${count(adopt, 'object')} ${verb} in the account already; the first apply adopts ${pronoun}.`;
}

/**
 * Formats the result of `trueup from` if the plan of a converted Terraform state would send something although the state should match the
 * account, so that the user compares both. `isWrong`: the plan has errors.
 */
export function formatDifference(plan: Plan, isWrong: boolean): string {
  if (isWrong) return 'Its plan has errors: nothing can be applied until they are fixed.';
  const { create } = summarizePlan(plan);
  const creations = create === 0 ? 'nothing is created' : `${count(create, 'object')} would be created`;
  return `The account differs from the file: its plan would send ${count(countPlannedRequests(plan).total, 'request')}, and ${creations}. Refresh the file, or edit the YAML.`;
}
