import { Sealed } from './sealed.ts';
import { isHole, isJoin, isPlainObject, type Value } from './value.ts';
import { inside, mapTree } from './walk.ts';

interface SealOptions {
  /** Numbers, truth values and empty text are sealed, too, as text. */
  literals?: boolean;
  /** These stay as they are. */
  except?(value: unknown): boolean;
}

/**
 * A copy of a value in which all text at and below a path is sealed, that between the holes of a join, too. Holes and what is sealed
 * stay, and so does the value's shape, since it may have to be sent back. Where the path leads nowhere nothing is sealed.
 */
export function sealAt(value: Value, [step, ...rest]: (string | number)[], options: SealOptions = {}): Value {
  if (step === undefined) return sealDeep(value, options);
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? sealAt(item, rest, options) : item));
  if (!isPlainObject(value) || !Object.hasOwn(value, step) || value[step] === undefined) return value;
  return { ...value, [step]: sealAt(value[step] as Value, rest, options) } as Value;
}

function sealDeep(value: Value, { literals = false, except = () => false }: SealOptions): Value {
  return mapTree(value, (one) => {
    if (one === null || one === undefined || except(one) || one instanceof Sealed) return one;
    if (typeof one !== 'object')
      return literals || (typeof one === 'string' && one !== '') ? new Sealed(String(one)) : one;
    return isHole(one) && !isJoin(one) ? one : inside;
  }) as Value;
}
