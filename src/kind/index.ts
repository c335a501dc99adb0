/** Everything that an author of a kind imports. */

export { type Address, escapeName, lastNameOf } from '../model/address.ts';
export type { Pace } from '../model/budget.ts';
export { asksForWrite, type Change } from '../model/change.ts';
export { type Diagnostic, problem, raise, warning } from '../model/diagnostic.ts';
export { canonicalJson } from '../model/digest.ts';
export { listFew } from '../model/fold-wordings.ts';
export { addTo, computeOnce, groupBy, memoize } from '../model/graph.ts';
export { parseJsonOrText } from '../model/read-json.ts';
export type { Endpoint, Request, Send } from '../model/request.ts';
export type { LiveResource, LiveRow, Pending, Resource } from '../model/resource.ts';
export { fieldsWhileExisting } from '../model/resource.ts';
export { revealed, Sealed } from '../model/sealed.ts';
export { type Fields, holesIn, isHole, isPlainObject, isRef, type Value } from '../model/value.ts';
export { dropUndefined } from '../model/walk.ts';
export { type ApiEntry, defineAction, indexActionsAndLookups } from './action.ts';
export { defineKind } from './define-kind.ts';
export { createRequest as request, resultOf } from './draft.ts';
export type {
  AnswerShape,
  Assumption,
  Evidence,
  Fact,
  FactVerdict,
  NamedRule,
  ObservedAnswer,
  RecordedExchange,
  TokenRules,
  TokenScope,
} from './evidence.ts';
export type {
  ForeignFiles,
  ForeignObject,
  ShownText,
  StateReading,
  StateResource,
  ZoneRecord,
} from './foreign.ts';
export type {
  Alignment,
  BatchContext,
  Clash,
  CreationWithParent,
  ItemOutcome,
  Kind,
  Shape,
  Sibling,
  SiblingCollection,
  WholeDocument,
} from './kind.ts';
export { loadedOnUse } from './load-on-use.ts';
export { defineLookup } from './lookup.ts';
export * from './meaning.ts';
export { onlyDeclared, plain } from './plain.ts';
export type { ExtraOperation, Provider } from './provider.ts';
export type { AccountFacts, ApiObject } from './read.ts';
export {
  membersOfMap,
  objectsOfList,
  objectsOfMap,
  optionalObject,
  optionalText,
  requireObject,
  requireText,
} from './require-type.ts';
export * from './traits.ts';
export { type Draft, type Step, type WriteRequest, wouldLose } from './write.ts';
