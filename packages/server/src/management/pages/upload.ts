import type { FastifyRequest } from 'fastify'
import '@fastify/multipart'
import type { UploadPart } from './page-route.ts'

/** Bounds of the fields of a form with a file. The reader of the file bounds its size. */
const limits = { fields: 50, fieldSize: 65_536, files: 1, fileSize: Number.POSITIVE_INFINITY }

/** Reads the parts of a form with a file. Throws an error of the client if the body is not such a form. */
export async function* readUpload(request: FastifyRequest): AsyncIterable<UploadPart> {
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') yield { name: part.fieldname, fileName: part.filename ?? '', file: part.file }
      else yield { name: part.fieldname, text: String(part.value).trim() }
    }
  } catch (error) {
    // The parser gives a status to bounds alone.
    throw Object.assign(error as Error, { statusCode: (error as { readonly statusCode?: number }).statusCode ?? 400 })
  }
}
