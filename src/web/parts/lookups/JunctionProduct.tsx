import type { Junction } from '../../../contract/junctions.ts'
import { ProductHeader } from './ProductHeader.tsx'

/** Whose product a junction belongs to, as the ERP's own row says it. */
export const JunctionProduct = ({ junction }: { junction: Junction }) => (
  <ProductHeader
    product={{
      Z1_CLIENTE: junction.Z8_CLIENTE,
      Z1_CNPJCLI: '',
      Z1_PRODUTO: junction.Z8_PRODUTO,
      Z1_REVCLI: junction.Z8_REVCLI,
      Z1_REVLTM: junction.Z8_REVLTM,
      Z1_DESCPRO: junction.Z8_DESCPRO,
    }}
  />
)
