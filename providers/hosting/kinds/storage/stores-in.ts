import { type ApiObject, isPlainObject } from '#kind';

/**
 * Returns the stores of one type in the answer of `GET /v1/storage/stores`, which lists all types and installations. Source: the platform's
 * command line and its Terraform provider.
 */
export const storesIn = (answer: ApiObject, type: 'blob' | 'integration'): ApiObject[] => {
  const { stores } = answer;
  if (!Array.isArray(stores) || !stores.every(isPlainObject))
    throw new Error('the answer has no list of stores');
  if (!stores.every((store) => typeof (store as ApiObject).type === 'string'))
    throw new Error('the response has a store without a type');
  return (stores as ApiObject[]).filter((store) => store.type === type);
};
