/** What an author of a kind imports. */
export { escapeName } from '../model/address.ts';
export { Problems, problem } from '../model/diagnostic.ts';
export type { Request } from '../model/plan.ts';
export type { LiveResource, Resource } from '../model/resource.ts';
export { revealed, Sealed } from '../model/sealed.ts';
export { type Fields, isHole, isRef, isSecret, type Value } from '../model/value.ts';
export { defineKind } from './define-kind.ts';
export type { Alignment, Api, ApiObject, BatchContext, Draft, Kind, Step } from './kind.ts';
export type { Provider } from './provider.ts';
export { request, resultOf } from './request.ts';
export * from './traits.ts';
