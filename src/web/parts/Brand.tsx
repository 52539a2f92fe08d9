/** The mark of the product: bars of a production chart. */
export const BrandMark = ({ className }: { className: string }) => (
  <svg viewBox="0 0 40 40" className={className} aria-hidden="true">
    <title>Painel Industrial</title>
    <rect width="40" height="40" rx="8" fill="currentColor" fillOpacity="0.14" />
    <path d="M10 19h5v11h-5zM17.5 14h5v16h-5zM25 9h5v21h-5z" fill="currentColor" />
  </svg>
)
