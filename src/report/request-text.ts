import type { Address } from '../model/address.ts';
import type { Operation, Request } from '../model/plan.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, isRef, isResult, isSecretRef } from '../model/value.ts';
import { cleanLine } from './clean.ts';
import { layOut } from './lay-out.ts';
import type { PlanContext } from './plan-context.ts';
import { show, showHole, showResult } from './show.ts';

const most = 30;

/** The requests of the operations that carry out the change of `address`; those shown before are only referred to. */
export function requestsOf(address: Address, context: PlanContext): string[] {
  return (context.carriers.get(address) ?? []).flatMap((operation) => {
    const earlier = context.shown.get(operation);
    if (earlier !== undefined) return [context.style.quiet(`=> with ${cleanLine(earlier)}, above`)];
    context.shown.set(operation, address);
    return operationLines(operation, context);
  });
}

export function operationLines(operation: Operation, { style, verbose }: PlanContext): string[] {
  return operation.requests.flatMap((request) => {
    const { method, path } = lineOf(request);
    const body = request.body === undefined ? [] : layOut(request.body, style.width - 9, 'json');
    const shown = verbose ? body : body.slice(0, most);
    const more = body.length - shown.length;
    return [
      `${style.quiet('=>')} ${style.strong(method)} ${path}`,
      ...shown.map((line) => `   ${style.quiet(line)}`),
      ...(more > 0 ? [`   ${style.quiet(`... ${more} more lines`)}`] : []),
    ];
  });
}

/** Method and path with what is known of the placeholders filled in: `/v9/projects/{projects/web}`. */
export function lineOf({ endpoint, params = {} }: Request): { method: string; path: string } {
  const [method, path] = endpoint.split(' ', 2) as [string, string];
  return {
    method,
    path: cleanLine(path).replace(/\{(\w+)\}/g, (open, name) =>
      Object.hasOwn(params, name) ? filled(params[name]) : open,
    ),
  };
}

function filled(value: unknown): string {
  if (value instanceof Sealed) return '{secret}';
  if (isRef(value))
    return `{${cleanLine(value.$ref)}${value.attr === 'id' ? '' : `.${cleanLine(value.attr)}`}}`;
  if (isSecretRef(value)) return `{secret.${cleanLine(value.$secret)}}`;
  if (isResult(value)) return `{${showResult(value)}}`;
  if (isHole(value)) return `{${showHole(value)}}`;
  return typeof value === 'object' ? show(value) : encodeURIComponent(String(value));
}
