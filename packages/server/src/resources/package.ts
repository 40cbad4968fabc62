import { type PackageName, type PackageTable, packageNames, permissions } from '../domain/package.ts'
import { Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

const quota = () => Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')])
const rate = () => Type.Number({ exclusiveMinimum: 0 })

export const packagesSchema = closedObject({
  data: Type.Array(
    closedObject({
      name: Type.Enum(packageNames),
      permissions: Type.Array(Type.Enum(permissions)),
      rate: rate(),
      /** Missing: an agreement must name one. */
      quota: Type.Optional(quota()),
      price: Type.Optional(Type.String()),
    }),
  ),
  search: closedObject({ rate: rate(), burst: Type.Number(), quota: quota() }),
})

/** Presents the packages and the limits of search, which are the same in all packages. */
export const packagesResource = (
  { packages, search }: PackageTable,
  names: readonly PackageName[],
): Resource<typeof packagesSchema> => ({
  data: names.map(name => {
    const { permissions: granted, rate: perSecond, quota: units, price } = packages[name]
    return {
      name,
      permissions: [...granted],
      rate: perSecond,
      ...(units !== undefined && { quota: units }),
      ...(price !== undefined && { price }),
    }
  }),
  search: { rate: search.rate, burst: search.burst, quota: search.quota },
})
